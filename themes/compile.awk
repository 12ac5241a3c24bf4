# Makes the C table of built-in themes out of the very files that users copy: awk -f compile.awk default.json light.json …
# It reads one role a line, as the files here are written; tests/app/test_theme_file compares what it made with what
# the reader of users' themes makes of the same files. A line that it does not understand is an error.
function fail(why) {
    printf "%s:%d: %s\n", FILENAME, FNR, why > "/dev/stderr"
    failed = 1
    exit 1
}
function value(key,    at, rest) { # of this line's member KEY, as it is written
    at = index($0, "\"" key "\": ")
    if (!at)
        fail("no \"" key "\"")
    rest = substr($0, at + length(key) + 4)
    if (!match(rest, /^("[^"]*"|null|true|false)/))
        fail("can't read \"" key "\"")
    return substr(rest, 1, RLENGTH)
}
function colour(text) {
    return text == "null" ? "COLOUR_NONE" : "0x" substr(text, 3, 6)
}
function finish_theme() {
    if (count++)
        print "        },\n    },"
}
BEGIN {
    print "/* Made from themes/ by compile.awk: change them, not this. */"
    print "#include \"view/theme.h\"\n\nconst struct theme THEME_BUILTIN[] = {"
}
FNR == 1 {
    finish_theme()
    name = FILENAME
    gsub(/.*\/|\.json$/, "", name)
    printf "    {\n        .name = \"%s\",\n", name
    next
}
/^  "schema": "slackswap-theme\/1",$/ || /^}$/ { next }
/^  "(foreground|background)": / {
    key = /foreground/ ? "foreground" : "background"
    printf "        .%s = %s,\n", key, colour(value(key))
    next
}
/^  "mono": (true|false),$/ {
    printf "        .mono = %s,\n        .role = {\n", value("mono")
    print "            [ROLE_NONE] = { COLOUR_NONE, COLOUR_NONE, false, \" \", \" \" },"
    next
}
/^  "[a-z0-9]+": +\{.*\},?$/ {
    split($0, part, "\"")
    printf "            [ROLE_%s] = { %s, %s, %s, %s, %s },\n", toupper(part[2]), colour(value("fg")), colour(value("bg")),
        value("bold"), value("glyph"), value("ascii")
    next
}
{ fail("a line that is neither a member nor a role") }
END {
    if (!failed) {
        finish_theme()
        print "};\nconst uint32_t THEME_BUILTIN_COUNT = sizeof THEME_BUILTIN / sizeof THEME_BUILTIN[0];"
    }
}
