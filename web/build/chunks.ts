import type { Plugin, Rolldown } from 'vite';

/** The largest module that is gathered with others, bytes of source. A larger one is loaded by the pages that need it. */
const SMALL = 8_000;
/** A chunk smaller than this is merged with a neighbour, in bytes of source. */
const WORTH_A_REQUEST = 1_000;
/** The number of pages that must use a module before all pages share it. */
const COMMON = 6;
/** Libraries that are in the first chunk anyway, and icons, which are one line each. */
const ALONG =
  /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack[\\/](react-query|query-core)|@trpc|lucide-react)[\\/]/;
/** Sentences, live queries and kinds of checks: each screen fetches those that it needs. */
const OWN = /(-messages|\.live|checks[\\/]kinds(\.|[\\/][\w-]+\.)vocabulary)\.ts$/;
/** The code of every form, including the sign-in page's. */
const FORM = /[\\/]forms[\\/](use-command-form|command-form|max-length)\.tsx?$/;
/** Modules that a list page does not need at first: those of features, forms, confirmations, drafts and copies. */
const LATER =
  /[\\/](features[\\/].*|check-periods|search-text|live[\\/]history|server-or-copy|lib[\\/](use-leave-guard|intercept-history|use-mounted|sha256)|offline[\\/](queue[\\/])?(draft-keys|use-[\w-]+)|merge-fields|forms[\\/](use-row-form|field-edits|conflict-hint|form-actions)|ui[\\/]\w+[\\/](confirm-dialog|dialog-actions|cancel-button|field-conflict|folded-filters|printable|printed-list|select-field|text-area))\.tsx?$/;
/**
 * Small modules that stay chunks of their own: gathered, they would be fetched together with code that a page does not need.
 * Presence is shown by issues, forms and documents, which share little else.
 */
const APART =
  /[\\/](second-tap\.ts|use-(announce-)?presence\.ts|avatar-row\.tsx|locations[\\/]rename-building\.ts|react-query[\\/]build[\\/]modern[\\/]queryOptions\.js)$/;

/**
 * Code that is fetched at the same moment: one chunk for each name, with the roots of its modules. `home` must be first:
 * the frame of all screens and the dashboard, which every person sees first. The other chunks are the storage of the
 * device, its upkeep, and the code that only operatives or only administrators need.
 */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  home: [
    'app/shell.tsx',
    'live/hooks/use-live-list.ts',
    'ui/lists/use-load-more.ts',
    'app/pages/dashboard/dashboard-page.tsx',
    'app/pages/dashboard/card-figures.tsx',
    'app/pages/dashboard/pulse-panel.tsx',
    'features/users/notices/account-notices.tsx',
  ],
  'offline-instance': ['app/offline/offline-instance.ts'],
  'operative-dashboard': ['features/checks/tasks/operative-dashboard.tsx'],
  upkeep: [
    'app/offline/offline-upkeep.tsx',
    'features/sync/sync-chip.tsx',
    'features/session/sign-out-question.tsx',
  ],
  administrator: ['app/pages/dashboard/first-steps.tsx', 'features/displays/silent-displays.tsx'],
};
/** Pages that share modules with chunks of `TOGETHER`. Except in `home`, these modules are left out of the chunks. */
const ELSEWHERE = [
  'features/issues/issues-page.tsx',
  'features/documents/documents-page.tsx',
  'features/assets/assets-page.tsx',
];

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/**
 * The groups of modules that become one chunk. By default every small module that two pages share is a file of its own,
 * and a page makes sixty requests of a kilobyte each, six at a time, which takes seconds on a phone. So the modules that
 * every address needs at the start are one file, and small modules of ours are gathered unless they would bring a
 * library.
 * @param here the folder of the pages, with a slash at its end
 */
export function chunkGroups(here: string): Rolldown.CodeSplittingGroup[] {
  const first = once((graph) => reachable(here, ['index.html'], graph));
  const initial = once((graph) => reachable(here, ['index.html', 'start.tsx'], graph));
  // Does not follow imports of modules that are loaded already: a library's index would lead to all its modules.
  const signIn = once((graph) =>
    reachable(here, ['features/session/sign-in-page.tsx'], graph, initial(graph)),
  );
  const together = once((graph) => fetchedTogether(here, graph));
  const isLight = once(lightModules);
  const isQuiet = once(quietModules);
  // Modules that run first are not gathered, so that they do not wait for others.
  const gather = (name: string, fits: (id: string, graph: Graph) => boolean) => ({
    debugName: name,
    name: (id: string, graph: Graph) => (!first(graph).has(id) && fits(id, graph) ? name : null),
    includeDependenciesRecursively: false,
  });
  const light = (id: string, graph: Graph) => isLight(graph)(id);
  return [
    { ...gather('start', () => true), priority: 4, tags: ['$initial'] },
    { ...gather('form', (id) => FORM.test(id)), priority: 3 },
    // The modules that the sign-in page shares with other pages. They are a chunk of their own, so that the sign-in page
    // does not load the larger groups below.
    {
      ...gather('fields', (id, graph) => light(id, graph) && signIn(graph).has(id) && !OWN.test(id)),
      priority: 3,
      minShareCount: COMMON,
      maxModuleSize: SMALL,
    },
    ...Object.keys(TOGETHER).map((name) => ({
      ...gather(name, (id, graph) => together(graph).get(id) === name && !signIn(graph).has(id)),
      priority: 2,
    })),
    {
      // Modules that most pages share, but not their sentences and live queries.
      ...gather('screens', (id, graph) => light(id, graph) && isQuiet(graph)(id) && !LATER.test(id)),
      priority: 1,
      minShareCount: COMMON,
      maxModuleSize: SMALL,
    },
    {
      ...gather('several', (id, graph) => light(id, graph) && !APART.test(id)),
      priority: 0,
      minShareCount: 2,
      maxModuleSize: SMALL,
      entriesAware: true,
      entriesAwareMergeThreshold: WORTH_A_REQUEST,
    },
  ];
}

/** The roots and all modules that they import statically, directly or through others that are not in `end`. */
function reachable(
  here: string,
  roots: readonly string[],
  graph: Graph,
  end: ReadonlySet<string> = new Set(),
): Set<string> {
  const found = new Set<string>(roots.map((root) => here + root));
  for (const id of found) {
    if (end.has(id)) continue;
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

/** For each module of a chunk in `TOGETHER`: the name of that chunk. */
function fetchedTogether(here: string, graph: Graph): Map<string, string> {
  const found = new Map<string, string>();
  const elsewhere = reachable(here, ELSEWHERE, graph);
  for (const [at, [name, roots]] of Object.entries(TOGETHER).entries()) {
    for (const id of reachable(here, roots, graph)) {
      if (!found.has(id) && (at === 0 || !elsewhere.has(id))) found.set(id, name);
    }
  }
  return found;
}

/** Whether a module imports no library, directly or through others. */
function lightModules(graph: Graph): (id: string) => boolean {
  return throughout(graph, (id) => (id.includes('node_modules') ? ALONG.test(id) : undefined));
}

/** Whether a module imports nothing that belongs to a screen (`OWN`), directly or through others. */
function quietModules(graph: Graph): (id: string) => boolean {
  return throughout(graph, (id) => (OWN.test(id) ? false : id.includes('node_modules') ? true : undefined));
}

/** Tests a module and all its imports. @param known the answer for a module; undefined if its imports decide */
function throughout(graph: Graph, known: (id: string) => boolean | undefined): (id: string) => boolean {
  const found = new Map<string, boolean>();
  const isSo = (id: string): boolean => {
    const before = found.get(id) ?? known(id);
    if (before !== undefined) return before;
    // In a cycle the other modules decide.
    found.set(id, true);
    const all = (graph.getModuleInfo(id)?.importedIds ?? []).every(isSo);
    found.set(id, all);
    return all;
  };
  return isSo;
}

/**
 * Returns a function that computes `make` once: the graph is complete when the first module is tested, and the same for
 * all modules.
 */
function once<T>(make: (graph: Graph) => T): (graph: Graph) => T {
  let made: { value: T } | undefined;
  return (graph) => {
    made ??= { value: make(graph) };
    return made.value;
  };
}

/** Adds preload links for the main chunk to the page, so that it is fetched together with the small entry file. */
export function preloadMainChunk(): Plugin {
  return {
    name: 'lintel:start-at-once',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const entry = Object.values(bundle).find(
          (file) => file.type === 'chunk' && file.name === 'start' && file.isEntry,
        );
        if (entry?.type !== 'chunk') throw new Error('The build has no start');
        return [entry.fileName, ...entry.imports]
          .filter((name) => !html.includes(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
            injectTo: 'head',
          }));
      },
    },
  };
}
