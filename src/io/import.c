#include "import.h"

#include <string.h>

#include "import_csv.h"
#include "import_kineto.h"
#include "import_pipedream.h"

const struct importer IMPORTERS[] = {
    { "pipedream", "PipeDream profiler graphs (graph.txt)", false, false, false, import_pipedream_matches,
      import_pipedream },
    { "kineto", "traces of torch.profiler (Chrome JSON)", false, true, true, import_kineto_matches, import_kineto },
    { "csv", "tables with one row a layer (CSV, Aceso's among them)", true, false, false, import_csv_matches,
      import_csv },
};
const uint32_t IMPORTER_COUNT = sizeof IMPORTERS / sizeof *IMPORTERS;

const struct importer *importer_find(const char *name) {
    for (uint32_t i = 0; i < IMPORTER_COUNT; i++)
        if (strcmp(IMPORTERS[i].name, name) == 0) return &IMPORTERS[i];
    return NULL;
}

const struct importer *importer_detect(const char *text, size_t length) {
    for (uint32_t i = 0; i < IMPORTER_COUNT; i++)
        if (IMPORTERS[i].matches(text, length)) return &IMPORTERS[i];
    return NULL;
}
