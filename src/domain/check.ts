// One finding of an examination (`provider test`, `doctor`): what was looked at, how it stands, what was
// found, and what to do about it.

/** `warn` works today, or may work; `fail` does not. */
export type CheckState = 'ok' | 'warn' | 'fail';

export type Check = {
  /** A word or two: `issuer`, `redirect URL`. */
  readonly name: string;
  readonly state: CheckState;
  /** Without secrets, one line. */
  readonly found: string;
  /** The next step; null where nothing is to be done. */
  readonly next: string | null;
};

export function passes(name: string, found: string): Check {
  return { name, state: 'ok', found, next: null };
}

export function warns(name: string, found: string, next: string): Check {
  return { name, state: 'warn', found, next };
}

export function fails(name: string, found: string, next: string): Check {
  return { name, state: 'fail', found, next };
}

export function allPassed(checks: readonly Check[]): boolean {
  return checks.every(({ state }) => state !== 'fail');
}
