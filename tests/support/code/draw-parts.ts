import { importsIn, sourceFiles } from './imports.ts';
import { partOf } from './parts.ts';

const LAYERS = ['web', 'server', 'shared', 'db'];

/**
 * Draws the imports between the parts of the code, as Mermaid. An arrow that follows from other arrows is left out, so
 * that the picture can be read: a part that `web/features` reaches through `web/forms` has no arrow from `web/features`.
 */
export function drawParts(): string {
  const pairs = new Map<string, Set<string>>();
  for (const { from, to, typeOnly } of LAYERS.flatMap(sourceFiles).flatMap((path) => importsIn(path))) {
    if (to === undefined || typeOnly) continue;
    const [own, other] = [nameOf(from), nameOf(to)];
    if (own === undefined || other === undefined || own === other) continue;
    pairs.set(own, (pairs.get(own) ?? new Set()).add(other));
  }
  const parts = [...new Set([...pairs].flatMap(([own, others]) => [own, ...others]))].sort();
  const lines = LAYERS.flatMap((layer) => {
    const inside = parts.filter((part) => part === layer || part.startsWith(`${layer}/`));
    const nodes = inside.map((part) => `    ${idOf(part)}["${part}"]`);
    return [`  subgraph ${layer}_layer ["${layer}"]`, ...nodes, '  end'];
  });
  const arrows = parts.flatMap((part) =>
    [...(pairs.get(part) ?? [])]
      .filter((other) => !isIndirect(pairs, part, other))
      .sort()
      .map((other) => `  ${idOf(part)} --> ${idOf(other)}`),
  );
  return ['flowchart TD', ...lines, ...arrows].join('\n');
}

/** The part of a file; undefined for files at the top of a layer, which are its entry points. */
function nameOf(path: string): string | undefined {
  const part = partOf(path).replace('/*', '');
  return part === '' || part === 'web' ? undefined : part.replace(/^(web\/features)\/.*/, '$1');
}

function idOf(part: string): string {
  return part.replaceAll(/[/-]/g, '_');
}

/** Whether one part reaches another through a third one. */
function isIndirect(pairs: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const next = [...(pairs.get(from) ?? [])].filter((part) => part !== to);
  for (const part of next) {
    if (seen.has(part)) continue;
    seen.add(part);
    const others = pairs.get(part) ?? new Set();
    if (others.has(to)) return true;
    next.push(...others);
  }
  return false;
}
