// What a test or a trial of a provider found, as it is kept: enough to tell whether logins work and what to
// mend, and no secret. One of each kind is kept, the last.

import type { Check } from './check.ts';

export const FINDING_KINDS = ['test', 'trial'] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

export type ProviderFinding = {
  readonly passed: boolean;
  /** Whom the provider named; null for a test, and for a trial that failed. */
  readonly email: string | null;
  /** Of a trial that failed: its code; null otherwise. */
  readonly reason: string | null;
  /** Of a test: what did not pass, the worst first; of a trial that failed, what was found. */
  readonly checks: readonly Check[];
};

export function testFinding(checks: readonly Check[]): ProviderFinding {
  const open = checks.filter(({ state }) => state !== 'ok').toSorted(worstFirst);
  return {
    passed: checks.every(({ state }) => state !== 'fail'),
    email: null,
    reason: null,
    checks: open.slice(0, MOST_CHECKS).map(cut),
  };
}

export function trialFinding(
  found:
    | { readonly kind: 'person'; readonly email: string }
    | { readonly kind: 'fault'; readonly code: string; readonly detail: string },
): ProviderFinding {
  if (found.kind === 'person') return { passed: true, email: found.email, reason: null, checks: [] };
  const { code, detail } = found;
  const checks = detail === '' ? [] : [cut({ name: 'login', state: 'fail', found: detail, next: null })];
  return { passed: false, email: null, reason: code, checks };
}

function worstFirst({ state }: Check, other: Check): number {
  return Number(other.state === 'fail') - Number(state === 'fail');
}

function cut({ name, state, found, next }: Check): Check {
  return {
    name: name.slice(0, MOST_TEXT),
    state,
    found: found.slice(0, MOST_TEXT),
    next: next === null ? null : next.slice(0, MOST_TEXT),
  };
}

/** A provider may answer anything; what is kept of it stays some kilobytes. */
const MOST_CHECKS = 12;
const MOST_TEXT = 600;

type Found = Pick<ProviderFinding, 'passed'> & { readonly at: string; readonly isOutdated: boolean };

export type ProviderState = 'works' | 'passed' | 'failed' | 'trial failed' | 'changed' | 'untested';

/** In a word: by the newest finding about the settings of now. */
export function providerState(
  lastTest: Found | null,
  lastTrial: Found | null,
): { readonly state: ProviderState; readonly text: string } {
  const state = stateOf(lastTest, lastTrial);
  return { state, text: STATES[state] };
}

function stateOf(lastTest: Found | null, lastTrial: Found | null): ProviderState {
  if (lastTest === null && lastTrial === null) return 'untested';
  const [test, trial] = [current(lastTest), current(lastTrial)];
  if (test === null && trial === null) return 'changed';
  const isTrial = trial !== null && (test === null || Date.parse(trial.at) >= Date.parse(test.at));
  if (isTrial) return trial.passed ? 'works' : 'trial failed';
  return test?.passed === true ? 'passed' : 'failed';
}

function current(found: Found | null): Found | null {
  return found === null || found.isOutdated ? null : found;
}

const STATES: Readonly<Record<ProviderState, string>> = {
  works: 'login works',
  passed: 'test passed',
  failed: 'test failed',
  'trial failed': 'trial failed',
  changed: 'changed since the test',
  untested: 'not tested',
};
