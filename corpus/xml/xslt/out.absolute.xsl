<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://www.w3.org/1999/xhtml">
<xsl:import href="https://www.example.org/docs/a/common.xsl"/><xsl:include href="https://www.example.org/docs/more.xsl"/>
<xsl:template match="/"><html><head><link rel="stylesheet" href="https://www.example.org/docs/a/style.css"/></head>
<body><a href="{@none}">x</a><a href="https://www.example.org/fixed">x</a><img srcset="{$none} 1x, https://www.example.org/docs/a/b.png 2x"/></body></html></xsl:template>
</xsl:stylesheet>
