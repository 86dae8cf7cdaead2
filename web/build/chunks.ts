import type { Plugin, Rolldown } from 'vite';

/** Larger modules stay by themselves: whoever does not need one should not carry it. Bytes of source. */
const SMALL = 8_000;
/** A chunk that would be smaller than this joins its nearest neighbour. Bytes of source. */
const WORTH_A_REQUEST = 1_000;
/** How many pages want something before all pages share it. */
const COMMON = 6;
/** Libraries that are in the first chunk anyway, and icons, which are a line each. */
const ALONG =
  /node_modules[\\/](react|react-dom|scheduler|react-router|react-router-dom|@tanstack[\\/](react-query|query-core)|@trpc|lucide-react)[\\/]/;
/** What screens say, what they follow live, and what only checks are about: each fetches its own. */
const OWN = /(-messages|\.live|checks[\\/]kinds(\.|[\\/][\w-]+\.)vocabulary)\.ts$/;
/** What a list in pages is made of: most pages have one, the sign-in page has none. */
const LISTS = /[\\/](live[\\/](list|list-rows|use-live-list)|ui[\\/]use-load-more)\.ts$/;
/** What a page fetches at the first touch: neighbours would come along with it. */
const AT_FIRST_TOUCH = /[\\/]second-tap\.ts$/;

type Graph = { getModuleInfo(id: string): { importedIds: readonly string[] } | null };

/**
 * Which modules travel together. Left alone, every small module that two pages share becomes a file, and a page is
 * sixty requests of a kilobyte each, six at a time: on a phone, seconds. So the bulk that every address starts with is
 * one file, and small modules of ours are gathered as long as nobody gets a library with them.
 * @param here the folder of the pages, with a slash at its end
 */
export function chunkGroups(here: string): Rolldown.CodeSplittingGroup[] {
  const first = once((graph) => reachable(`${here}index.html`, graph));
  const isLight = once(lightModules);
  const isQuiet = once(quietModules);
  // What is run first must not have to wait for the rest, so it is gathered with nothing.
  const gather = (name: string, fits: (id: string, graph: Graph) => boolean) => ({
    debugName: name,
    name: (id: string, graph: Graph) => (!first(graph).has(id) && fits(id, graph) ? name : null),
    includeDependenciesRecursively: false,
  });
  const light = (id: string, graph: Graph) => isLight(graph)(id);
  return [
    { ...gather('start', () => true), priority: 4, tags: ['$initial'] },
    { ...gather('lists', (id) => LISTS.test(id)), priority: 3 },
    {
      // The sign-in page shares fields and buttons with the others, and none of what they say or follow.
      ...gather('screens', (id, graph) => light(id, graph) && isQuiet(graph)(id)),
      priority: 2,
      minShareCount: COMMON,
      maxModuleSize: SMALL,
    },
    {
      ...gather('several', (id, graph) => light(id, graph) && !AT_FIRST_TOUCH.test(id)),
      priority: 1,
      minShareCount: 2,
      maxModuleSize: SMALL,
      entriesAware: true,
      entriesAwareMergeThreshold: WORTH_A_REQUEST,
    },
  ];
}

/** Everything that is loaded with a module, without what it fetches later. */
function reachable(root: string, graph: Graph): Set<string> {
  const found = new Set<string>([root]);
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

/** Whether a module brings no library with it, directly or through others. */
function lightModules(graph: Graph): (id: string) => boolean {
  return throughout(graph, (id) => (id.includes('node_modules') ? ALONG.test(id) : undefined));
}

/** Whether a module brings nothing of a screen's own with it, directly or through others. */
function quietModules(graph: Graph): (id: string) => boolean {
  return throughout(graph, (id) => (OWN.test(id) ? false : id.includes('node_modules') ? true : undefined));
}

/** Whether something is so of a module and of all that it imports. @param known undefined: it is up to what it imports */
function throughout(graph: Graph, known: (id: string) => boolean | undefined): (id: string) => boolean {
  const found = new Map<string, boolean>();
  const isSo = (id: string): boolean => {
    const before = found.get(id) ?? known(id);
    if (before !== undefined) return before;
    // In a circle the others decide.
    found.set(id, true);
    const all = (graph.getModuleInfo(id)?.importedIds ?? []).every(isSo);
    found.set(id, all);
    return all;
  };
  return isSo;
}

/** The graph is complete when the first module is asked about, and the same for all. */
function once<T>(make: (graph: Graph) => T): (graph: Graph) => T {
  let made: { value: T } | undefined;
  return (graph) => {
    made ??= { value: make(graph) };
    return made.value;
  };
}

/** Names the bulk of the code in the page itself, so that it is fetched beside the small file that asks for it. */
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
