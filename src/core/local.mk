noinst_LIBRARIES += libcore.a
libcore_a_SOURCES = \
	src/core/base.c \
	src/core/base.h \
	src/core/bound.h \
	src/core/knobs.c \
	src/core/knobs.h \
	src/core/link.c \
	src/core/link.h \
	src/core/names.c \
	src/core/names.h \
	src/core/outcome.h \
	src/core/plan.c \
	src/core/plan.h \
	src/core/planner.h \
	src/core/profile.c \
	src/core/profile.h \
	src/core/sanitise.c \
	src/core/sanitise.h \
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
