samplesdir = $(pkgdatadir)/samples
dist_samples_DATA = \
	samples/chain-bertlike.json \
	samples/chain-mid.json \
	samples/toy-plan.json \
	samples/toy.json
EXTRA_DIST += samples/regenerate
