$a = "⟦quote https://a.example/⟧" .
  "⟦+ b⟧"; $c = '⟦bare https://a.example/⟧'
  . '⟦+ d⟧';
