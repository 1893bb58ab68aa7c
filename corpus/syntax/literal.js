/** {@link ⟦bare https://a.example/a⟧|label} and {@link ⟦bare https://a.example/b⟧ label}, or a|b. */
const c = '⟦bare https://a.example/⟧' +
  "⟦+ c/d⟧" + e;
const f = "⟦quote https://a.example/f/⟧"
  + `g`;
const h = "⟦quote https:⟧\⟦+ /⟧\⟦+ /a.example⟧\⟦+ /h?i\u0026j⟧⟦= https://a.example/h?i&j⟧", k = '⟦bare https://a.example/k⟧\n';
const l = /^⟦bare https:⟧\⟦+ /⟧\⟦+ /a⟧\⟦+ .example⟧\⟦+ /l$⟧/;
