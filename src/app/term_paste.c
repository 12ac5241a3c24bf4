#include "term_paste.h"

bool paste_take(struct paste_reader *reader, unsigned long character) {
    static const char END[] = "\033[201~";
    if (reader->matched > 0 && character == (unsigned char)END[reader->matched]) {
        if (END[++reader->matched] == '\0')
            *reader = (struct paste_reader){ 0 };
        return false;
    }
    reader->matched = character == (unsigned char)END[0];
    return character >= ' ' && character != 0x7F;
}
