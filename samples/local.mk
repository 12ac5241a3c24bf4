samplesdir = $(pkgdatadir)/samples
dist_samples_DATA = \
	samples/bert-large.json \
	samples/chain-bertlike.json \
	samples/chain-mid.json \
	samples/gpt2-xl.json \
	samples/llama-7b.json \
	samples/toy-plan.json \
	samples/toy.json
EXTRA_DIST += samples/regenerate

screensdir = $(samplesdir)/screens
dist_screens_DATA = samples/screens/compare.svg samples/screens/timeline.svg samples/screens/what-if.svg

pytorchdir = $(samplesdir)/pytorch
dist_pytorch_DATA = samples/pytorch/slackswap_torch.py
dist_pytorch_SCRIPTS = samples/pytorch/tour.py
