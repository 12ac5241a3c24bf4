# The built-in lessons, in their order; a user's own stand in the configuration folder.
LESSONS = \
	samples/lessons/01-memory-hill.json \
	samples/lessons/02-recompute.json \
	samples/lessons/03-offload.json \
	samples/lessons/04-offload-everything.json \
	samples/lessons/05-cost-per-byte.json \
	samples/lessons/06-the-rule-by-hand.json \
	samples/lessons/07-turnaround.json \
	samples/lessons/08-bandwidth.json \
	samples/lessons/09-stalls.json \
	samples/lessons/10-bounds.json \
	samples/lessons/11-layers-or-tensors.json \
	samples/lessons/12-host-memory.json
lessonsdir = $(samplesdir)/lessons
dist_lessons_DATA = $(LESSONS)
EXTRA_DIST += samples/lessons/compile.awk
