static A: &str = "⟦quote https://a.example/a/⟧\
    ⟦+ b⟧"; // ⟦bare https://a.example/c⟧
