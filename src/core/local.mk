noinst_LIBRARIES += libcore.a
libcore_a_SOURCES = \
	src/core/base.h \
	src/core/bound.h \
	src/core/knobs.c \
	src/core/knobs.h \
	src/core/link.h \
	src/core/names.h \
	src/core/outcome.h \
	src/core/plan.h \
	src/core/planner.h \
	src/core/profile.h \
	src/core/schedule.h \
	src/core/sim.h \
	src/core/timeline.h \
	src/core/units.c \
	src/core/units.h \
	src/core/version.c \
	src/core/version.h \
	src/core/zoo.h \
	src/core/zoo_build.c \
	src/core/zoo_gpus.c \
	src/core/zoo_links.c \
	src/core/zoo_models.c
