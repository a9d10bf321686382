// The order in which files are run: those that take long first, so that the last to end is a short one.

/** By what they start: browsers and services, then gates and stores, then functions. */
export function slowestFirst(files: readonly string[]): readonly string[] {
  return files.toSorted((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b));
}

function rankOf(file: string): number {
  return LONG_FIRST.findIndex((place) => place.test(file));
}

const LONG_FIRST = [
  // The store's suite on a server is the longest of all.
  /^src\/store\/postgres\/postgres\.test\.ts$/,
  /^test\/(?:e2e|attacks)\//,
  /^test\//,
  /^src\/store\//,
  /./,
];
