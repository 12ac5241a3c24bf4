# Makes the C table of built-in lessons out of the very files that users copy: awk -f compile.awk 01-name.json …
# The texts stand in it as they are; the program reads them as it reads a user's.
function quoted(line,    i, c, out) {
    out = ""
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        out = out (c == "\\" || c == "\"" || c == "?" ? "\\" c : c)
    }
    return "\"" out "\\n\""
}
function name_of(file) {
    gsub(/.*\/|\.json$/, "", file)
    return file
}
BEGIN {
    print "/* Made from samples/lessons/ by compile.awk: change them, not this. */"
    print "#include \"io/lesson_files.h\"\n"
    count = 0
}
FNR == 1 {
    if (count)
        print "    ;"
    name[count] = name_of(FILENAME)
    printf "static const char TEXT_%d[] =\n", count++
}
{ print "    " quoted($0) }
END {
    if (count)
        print "    ;\n"
    print "const struct lesson_file LESSON_FILES[] = {"
    for (i = 0; i < count; i++)
        printf "    { \"%s\", TEXT_%d, sizeof TEXT_%d - 1 },\n", name[i], i, i
    print "    { NULL, NULL, 0 },"
    print "};\nconst uint32_t LESSON_FILE_COUNT = sizeof LESSON_FILES / sizeof LESSON_FILES[0] - 1;"
}
