#include "session.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"
#include "io/file.h"

#define LIVE "live-"
#define SUFFIX ".session"

struct session {
    struct arena arena;
    int fd;
    const char *path;
    bool in_keys; /* the last line is one of keys, not ended yet */
};

/* ---- writing ---- */

static void put(struct session *session, const char *text) {
    size_t length = strlen(text);
    while (length > 0) {
        ssize_t written = write(session->fd, text, length);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            text += written;
            length -= (size_t)written;
        }
    }
}

static void end_keys(struct session *session) {
    if (session->in_keys)
        put(session, "\n");
    session->in_keys = false;
}

void session_key(struct session *session, struct key key) {
    char text[KEY_TEXT], word[KEY_TEXT + 8];
    struct key again;
    key_format(key, text);
    if (session == NULL || !key_parse(text, strlen(text), &again))
        return; /* what has no name means nothing either */
    snprintf(word, sizeof word, "%s %s", session->in_keys ? "" : "keys", text);
    put(session, word);
    session->in_keys = true;
}

void session_mouse(struct session *session, struct mouse mouse) {
    char line[96];
    if (session == NULL)
        return;
    end_keys(session);
    snprintf(line, sizeof line, "mouse %d %d %d %d %d %d\n", mouse.kind, mouse.button, mouse.modifiers, mouse.again,
             mouse.x, mouse.y);
    put(session, line);
}

void session_size(struct session *session, int width, int height) {
    char line[48];
    if (session == NULL)
        return;
    end_keys(session);
    snprintf(line, sizeof line, "size %dx%d\n", width, height);
    put(session, line);
}

void session_settled(struct session *session) {
    if (session != NULL)
        end_keys(session);
}

void session_plan(struct session *session, const struct profile *profile, const struct plan *plan) {
    static const char LETTER[ACTION_COUNT] = { 'k', 'o', 'r' };
    struct buffer line = { 0 };
    if (session == NULL)
        return;
    end_keys(session);
    buffer_text(&line, "plan ");
    for (uint32_t i = 0, run; i < profile->managed_count; i += run) {
        uint8_t action = plan->action[profile->managed[i]];
        for (run = 1; i + run < profile->managed_count && plan->action[profile->managed[i + run]] == action; run++)
            continue;
        buffer_printf(&line, "%c%u", LETTER[action], (unsigned)run);
    }
    buffer_text(&line, "\n");
    if (!line.failed)
        put(session, line.text);
    buffer_free(&line);
}

/* NUMBER with as few digits as tell it exactly. */
static const char *exactly(double number, char text[40]) {
    for (int digits = 3; digits <= 17; digits++) {
        snprintf(text, 40, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return text;
}

static void put_set(struct session *session, const char *knob, const char *value, const char *unit) {
    char line[96];
    end_keys(session);
    snprintf(line, sizeof line, "set %s %s%s\n", knob, value, unit);
    put(session, line);
}

void session_settings(struct session *session, const struct profile *profile, const struct settings *before,
                      const struct settings *settings) {
    const struct budget_choice *budget = &settings->budget;
    const struct model_options *model = &settings->work.options, *old = &before->work.options;
    char text[40];
    if (session == NULL)
        return;
    if (budget->share != before->budget.share && budget->kind == BUDGET_SHARE)
        put_set(session, KNOBS[KNOB_BUDGET].name, exactly(100 * budget->share, text), "%");
    else if (budget->bytes != before->budget.bytes && budget->kind != BUDGET_SHARE) {
        snprintf(text, sizeof text, "%llu", (unsigned long long)budget->bytes);
        put_set(session, KNOBS[KNOB_BUDGET].name, text, "");
    }
    const double rate = knob_bandwidth(profile, settings);
    if (rate != knob_bandwidth(profile, before))
        put_set(session, KNOBS[KNOB_BANDWIDTH].name, exactly(rate, text), "");
    if (model->batch != old->batch)
        put_set(session, KNOBS[KNOB_BATCH].name, exactly(model->batch, text), "");
    if (model->sequence != old->sequence)
        put_set(session, KNOBS[KNOB_SEQUENCE].name, exactly(model->sequence, text), "");
}

/* ---- its file ---- */

static bool lock(int fd) {
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    return fcntl(fd, F_SETLK, &whole) == 0;
}

/* The first lines: what OPTIONS ask for. NULL when it can't be had again, or memory is short. */
static const char *head_of(const struct options *options, struct arena *arena) {
    const char *profile = options->argument_count > 0 ? options->argument[0] : "";
    char *absolute = NULL;
    if (strcmp(profile, "-") == 0)
        return NULL;
    if (profile[0] != '\0' && access(profile, F_OK) == 0)
        absolute = realpath(profile, NULL);
    const char *head = arena_printf(arena, "%s\n", SESSION_SCHEMA);
    if (profile[0] != '\0')
        head = arena_printf(arena, "%sprofile %s\n", head, absolute ? absolute : profile);
    free(absolute);
    for (int id = 0; id < OPTION_COUNT && head != NULL; id++) {
        const char *value = options->flag[id];
        bool told = id != OPTION_replay && id != OPTION_keys && id != OPTION_size && id != OPTION_format;
        if (value == NULL || !told || strchr(value, '\n') != NULL)
            continue;
        char *file = id == OPTION_plan || id == OPTION_lesson ? realpath(value, NULL) : NULL;
        head = arena_printf(arena, "%soption %s%s%s\n", head, OPTION_TABLE[id].name,
                            OPTION_TABLE[id].argument ? " " : "",
                            file != NULL ? file : OPTION_TABLE[id].argument ? value : "");
        free(file);
    }
    return head;
}

static const char *state_path(const char *name, struct arena *arena) {
    const char *path = folder_path(FOLDER_STATE, name, arena);
    return path != NULL && path[0] != '\0' ? path : NULL;
}

struct session *session_begin(const struct options *options) {
    char name[64];
    struct session *session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    snprintf(name, sizeof name, "%s%ld%s", LIVE, (long)getpid(), SUFFIX);
    const char *head = head_of(options, &session->arena), *folder = state_path("", &session->arena);
    session->path = state_path(name, &session->arena);
    session->fd = -1;
    if (head != NULL && folder != NULL && session->path != NULL && folder_make(folder, &session->arena))
        session->fd = open(session->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (session->fd < 0) {
        arena_free(&session->arena);
        free(session);
        return NULL;
    }
    lock(session->fd);
    put(session, head);
    return session;
}

void session_end(struct session *session) {
    if (session == NULL)
        return;
    end_keys(session);
    const char *last = state_path("last" SUFFIX, &session->arena);
    if (last != NULL)
        rename(session->path, last);
    close(session->fd);
    arena_free(&session->arena);
    free(session);
}

/* ---- crashes ---- */

/* Whether PATH begins with HEAD, and nobody writes it any more. */
static bool is_left(const char *path, const char *head) {
    struct file_text text;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool dead = lock(fd);
    close(fd);
    if (!dead || file_read(path, &text, NULL) != SS_OK)
        return false;
    size_t length = strlen(head);
    bool same = text.length > length && memcmp(text.text, head, length) == 0 &&
                strncmp(text.text + length, "size", 4) == 0 && strstr(text.text + length, "\nkeys") != NULL;
    file_text_free(&text);
    return same;
}

const char *session_crashed(const struct options *options, struct arena *arena) {
    const char *head = head_of(options, arena), *folder = state_path("", arena);
    const char *kept = state_path("crashed" SUFFIX, arena), *found = NULL;
    DIR *list = head && folder && kept ? opendir(folder) : NULL;
    for (struct dirent *entry; list != NULL && found == NULL && (entry = readdir(list)) != NULL;) {
        const char *path = strncmp(entry->d_name, LIVE, strlen(LIVE)) == 0 ? state_path(entry->d_name, arena) : NULL;
        if (path != NULL && is_left(path, head) && rename(path, kept) == 0)
            found = kept;
    }
    if (list != NULL)
        closedir(list);
    return found;
}
