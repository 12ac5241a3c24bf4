#include "core/version.h"

#include "config.h"

const char *version_text(void) { return PACKAGE_STRING; }
