import type { Plugin } from 'vite';

/**
 * Fails the build if chunks import each other in a cycle: a module would run before its imports, and a component could
 * be undefined when it is rendered.
 */
export function noChunkCircles(): Plugin {
  return {
    name: 'no-chunk-circles',
    generateBundle(_options, bundle) {
      const importsOf = (name: string) => {
        const file = bundle[name];
        return file?.type === 'chunk' ? file.imports : [];
      };
      for (const name of Object.keys(bundle)) {
        const circle = pathTo(name, name, importsOf, new Set());
        if (circle !== undefined) this.error(`Chunks import each other: ${[name, ...circle].join(' → ')}`);
      }
    },
  };
}

/** Finds a chain of imports from one chunk to another; undefined if there is none. */
function pathTo(
  from: string,
  to: string,
  importsOf: (name: string) => readonly string[],
  seen: Set<string>,
): string[] | undefined {
  for (const next of importsOf(from)) {
    if (next === to) return [to];
    if (seen.has(next)) continue;
    seen.add(next);
    const rest = pathTo(next, to, importsOf, seen);
    if (rest !== undefined) return [next, ...rest];
  }
  return undefined;
}
