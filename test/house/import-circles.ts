// Circles in a graph of imports: of two files that import each other, types included, neither can be read or
// moved alone.

export type Graph = ReadonlyMap<string, readonly string[]>;

/** The strongly connected components in which an import leads back: Tarjan's algorithm. */
export function circlesOf(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      else if (!open.includes(target)) continue;
      lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1 || graph.get(file)?.includes(file) === true) found.push(circle);
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return found;
}

/** The shortest way back to the first file of a circle, for the message. */
export function shortestCircle(graph: Graph, circle: readonly string[]): string[] {
  const start = circle[0] ?? '';
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const target of graph.get(way.at(-1) ?? '') ?? []) {
      if (target === start) return [...way, start];
      if (!circle.includes(target) || seen.has(target)) continue;
      seen.add(target);
      ways.push([...way, target]);
    }
  return [...circle];
}
