/* lesson_json: slackswap-lesson/1 in (man 5 slackswap-lesson). */
#ifndef SLACKSWAP_IO_LESSON_JSON_H
#define SLACKSWAP_IO_LESSON_JSON_H

#include "core/lesson.h"
#include "json.h"

#define LESSON_SCHEMA "slackswap-lesson/1"

/* Reads LENGTH bytes at TEXT (TEXT[LENGTH] is NUL) into a lesson called NAME in ARENA. Everything that can be known without
 * planning is checked: members nobody knows, settings, plans, names of tensors and layers, limits, and that each formula
 * makes sense where it stands; whether what the lesson says is true is lesson_check's business (core/lesson_check.h).
 * SS_BAD_INPUT with a place ("line L, column C" or a JSON path), what was expected and what was found. */
enum ss_status lesson_json_read(const char *text, size_t length, const char *name, struct arena *arena,
                                struct lesson *out, struct error *error);

#endif
