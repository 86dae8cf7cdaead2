/** The strongly connected components of a directed graph that have two nodes or more (Tarjan's algorithm). */
export function circlesIn(edges: readonly (readonly [from: string, to: string])[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    next.set(from, (next.get(from) ?? new Set()).add(to));
    if (!next.has(to)) next.set(to, new Set());
  }
  const order = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];

  function visit(node: string): number {
    const number = order.size;
    order.set(node, number);
    path.push(node);
    let low = number;
    for (const to of next.get(node) ?? []) {
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (path.includes(to)) low = Math.min(low, order.get(to) ?? low);
    }
    if (low === number) {
      const circle = path.splice(path.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  }
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return circles;
}
