<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns="http://www.w3.org/1999/xhtml">
<xsl:import href="⟦style common.xsl⟧"/><xsl:include href="⟦style ../more.xsl⟧"/>
<xsl:template match="/"><html><head><link rel="stylesheet" href="⟦style style.css⟧"/></head>
<body><a href="{@none}">x</a><a href="⟦navigate /fixed⟧">x</a><img srcset="{$none} 1x, ⟦embed b.png⟧ 2x"/></body></html></xsl:template>
</xsl:stylesheet>
