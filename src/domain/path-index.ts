// Which of many path rules match a path, found by its segments: what it costs grows with the depth of the
// path, and not with the rules.

import { type PathRule, widePath } from './path-rule.ts';

type Numbered = { readonly rule: PathRule; readonly number: number };

/**
 * Answers the numbers of the rules that `matchesPath()` holds for, in groups. One whose `plain` is empty
 * holds for whatever there is.
 */
export function pathIndex(rules: readonly Numbered[]): Find {
  const narrow = treeOf(rules.filter(({ rule }) => !rule.isWide));
  const wide = treeOf(rules.filter(({ rule }) => rule.isWide));
  return (path) => [...narrow(path), ...wide(widePath(path))];
}

type Find = (path: string) => readonly (readonly number[])[];

function treeOf(rules: readonly Numbered[]): Find {
  if (rules.length === 0) return () => [];
  const root = newNode();
  const always: number[] = [];
  for (const { rule, number } of rules) {
    if (rule.plain === '') {
      always.push(number);
      continue;
    }
    const node = (rule.whole ?? rule.plain).split('/').reduce(childOf, root);
    (rule.whole === null ? node.here : node.below).push(number);
  }
  return (path) => {
    const found: (readonly number[])[] = always.length > 0 ? [always] : [];
    let node = root;
    for (let start = 0; ;) {
      const slash = path.indexOf('/', start);
      const child = node.children.get(path.slice(start, slash < 0 ? path.length : slash));
      if (child === undefined) return found;
      if (child.below.length > 0) found.push(child.below);
      if (slash < 0) {
        if (child.here.length > 0) found.push(child.here);
        return found;
      }
      node = child;
      start = slash + 1;
    }
  };
}

type Node = {
  readonly children: Map<string, Node>;
  /** Of rules for this very path. */
  readonly here: number[];
  /** Of rules for it and for all below. */
  readonly below: number[];
};

function newNode(): Node {
  return { children: new Map(), here: [], below: [] };
}

function childOf(node: Node, segment: string): Node {
  const known = node.children.get(segment);
  if (known !== undefined) return known;
  const child = newNode();
  node.children.set(segment, child);
  return child;
}
