/* ⟦bare https://a.example/comment⟧ */
static const char *a = "⟦quote https://a.example/a/⟧"
                       "⟦+ b?c=d⟧";
#define B "⟦quote https://a.example/⟧" \
          "⟦+ e⟧"
printf("⟦bare https://a.example/f⟧\n"); printf("see ⟦bare https://a.example/g⟧\t%s\"", "⟦quote https://a.example/h⟧\"");
char *list[] = { "⟦quote https://a.example/i/⟧", "⟦quote https://a.example/j⟧",
                 "⟦quote https://a.example/k⟧" };
f(L"⟦quote https://a.example/⟧"
  L"⟦+ l⟧", @"⟦quote https://a.example/m⟧", "⟦quote https://a.example/n⟧\
⟦+ o⟧", "⟦quote https:⟧\⟦+ /⟧\⟦+ /a.example/p\x26q⟧⟦= https://a.example/p&q⟧");
char *path = "⟦bare file:///C:\\albums\\1997.html⟧⟦= file:///C:\albums\1997.html⟧", *end = "⟦bare http://example.org/a⟧\\b \\n⟦bare http://example.org/c⟧";
