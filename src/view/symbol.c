#include "symbol.h"

static const char *const TEXT[SYMBOL_COUNT][2] = {
#define X(id, text, ascii) [SYMBOL_##id] = { text, ascii },
    SYMBOLS(X)
#undef X
};

const char *symbol_text(enum symbol symbol, bool ascii) {
    return TEXT[symbol][ascii];
}
