# The built-in themes, the default first; a user's own stand in the configuration folder.
THEMES = \
	$(top_srcdir)/themes/default.json \
	$(top_srcdir)/themes/light.json \
	$(top_srcdir)/themes/contrast.json \
	$(top_srcdir)/themes/mono.json
themesdir = $(pkgdatadir)/themes
dist_themes_DATA = themes/default.json themes/light.json themes/contrast.json themes/mono.json
EXTRA_DIST += themes/compile.awk
