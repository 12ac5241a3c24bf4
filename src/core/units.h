/* units: how people write sizes, rates, times and shares, and how the program writes them back (INTERFACE.md §1).
 *
 * Sizes take B, KiB, MiB, GiB, kB, MB, GB, a bare number is bytes; times take us, ms, s; rates take GB/s or nothing;
 * shares take %. A blank may stand before the unit, whose letters may be of either case. Decimals use a point (the
 * program never sets LC_NUMERIC). Screens show memory in GiB/MiB/KiB and links in GB/s. */
#ifndef SLACKSWAP_CORE_UNITS_H
#define SLACKSWAP_CORE_UNITS_H

#include "base.h"

/* Each parses the whole of TEXT (no trailing characters) and returns SS_USAGE, OUT untouched, with what was expected and
 * found. */
enum ss_status parse_bytes(const char *text, uint64_t *out, struct error *error);        /* whole bytes below 2^53 */
enum ss_status parse_rate(const char *text, double *out_gb_per_s, struct error *error);  /* 1e-6 … 1e6 GB/s */
enum ss_status parse_time(const char *text, double *out_us, struct error *error);        /* 0 … 1e12 us; bare: us */
enum ss_status parse_share(const char *text, double *out, struct error *error);          /* "50%" -> 0.5; 0 … 1000 % */
enum ss_status parse_count(const char *text, uint64_t low, uint64_t high, uint64_t *out, struct error *error);

#define UNIT_TEXT 32
/* Each writes at most UNIT_TEXT bytes, terminated, and returns TEXT. Three to four significant digits, unit included:
 * "5.39 GiB", "412.9 ms", "25.0 GB/s", "97.6%". What is not finite is shown as "-". */
char *format_bytes(char text[UNIT_TEXT], uint64_t bytes);
char *format_time(char text[UNIT_TEXT], double us);
/* Changes, with their sign: "+5.39 GiB", "-12.0 us"; "0" for none. */
char *format_bytes_change(char text[UNIT_TEXT], double bytes);
char *format_time_change(char text[UNIT_TEXT], double us);
char *format_rate(char text[UNIT_TEXT], double gb_per_s);
char *format_percent(char text[UNIT_TEXT], double share); /* 0.976 -> "97.6%" */

/* The same by value, for sentences: show_time(us).text lives as long as the expression. */
struct unit_text { char text[UNIT_TEXT]; };
struct unit_text show_bytes(uint64_t bytes); /* BYTES_UNLIMITED: "no limit" */
struct unit_text show_time(double us);
struct unit_text show_time_change(double us);
struct unit_text show_bytes_change(double bytes);
struct unit_text show_percent(double share);
struct unit_text show_rate(double gb_per_s);

/* The ending of a noun that COUNT of something are told by: "1 op", "2 ops". */
static inline const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

#endif
