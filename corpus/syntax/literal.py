URL = ("⟦bare https://a.example/a/⟧"
       '⟦+ b⟧')
OTHER = "⟦quote https://a.example/c⟧"
"""⟦quote https://a.example/d⟧"""
"⟦quote https://a.example/e⟧"
f = r"⟦quote https://www⟧\⟦+ .a⟧\⟦+ .example/f⟧" + u"⟦quote https://a.example/\u0067⟧⟦= https://a.example/g⟧"
PARTS = ["⟦quote https://a.example/h⟧", "⟦quote https://a.example/i/⟧"
         f"⟦+ {j}/k⟧"]
