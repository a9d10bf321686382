// Email globs (contract 2.3, 5.1 point 7).

/** True when no pattern is given, or any one of them matches the whole address. */
export function matchesAnyPattern(_patterns: readonly string[], _email: string): boolean {
  throw new Error('not here yet');
}
