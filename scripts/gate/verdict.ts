// Whether a test file passed: not only that no test failed, but that tests ran, that all of them were seen to
// end, and that the file ended by itself.

import type { Engine } from '../../test/support/note-engine.ts';

export type ToldEvent =
  | { readonly type: 'begun' | 'over'; readonly name: string }
  | { readonly type: 'test'; readonly name: string }
  | { readonly type: 'skipped'; readonly name: string; readonly reason: string }
  | { readonly type: 'failure'; readonly name: string; readonly isTest: boolean; readonly text: string }
  | { readonly type: 'late'; readonly text: string }
  | { readonly type: 'summary'; readonly counts: Counts };

/** As Node's runner counts. */
export type Counts = {
  readonly tests: number;
  readonly suites: number;
  readonly passed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly skipped: number;
  readonly todo: number;
};

export type FileRun = {
  readonly file: string;
  readonly events: readonly ToldEvent[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It was ended for not ending by itself. */
  readonly overMs: number | null;
  readonly tookMs: number;
  /** Those on which it opened a store; many open one on each. */
  readonly engines: readonly Engine[];
  /** The run that failed beside others, where this is the one after it. */
  readonly first: FileRun | null;
};

export function hasFailed(run: FileRun): boolean {
  const { failed, cancelled } = countsOf(run);
  return faultOf(run) !== null || failed + cancelled > 0;
}

/** Every failure of a file, with what is wrong with it as a whole; empty where it passed. */
export function failureText(run: FileRun): string {
  const fault = faultOf(run);
  const failures = run.events.map((event) => (event.type === 'failure' ? event.text : ''));
  return `${failures.join('')}${fault === null ? '' : `✖ ${run.file}\n  ${fault}\n\n`}`;
}

/** What is wrong with a file as a whole, in words; null for nothing that its tests do not say themselves. */
export function faultOf({ events, code, signal, overMs }: FileRun): string | null {
  const summary = events.find((event) => event.type === 'summary');
  const late = events.find((event) => event.type === 'late');
  if (overMs !== null) return `did not end within ${overMs / 1000} s${underWay(events)}`;
  if (code === 13)
    return 'ended with unsettled work: a promise that it awaits is never settled (exit code 13)';
  if (signal !== null) return `was ended by ${signal}`;
  if (summary === undefined)
    return code === 0 ? 'ran no test to its end' : `ended with exit code ${code} before its tests were over`;
  if (summary.counts.tests === 0) return 'ran no test';
  if (late !== undefined) return `ended with unsettled work: ${late.text}`;
  const failed = summary.counts.failed + summary.counts.cancelled;
  if (code !== 0 && failed === 0) return `ended with exit code ${code} though no test failed`;
  return null;
}

function underWay(events: readonly ToldEvent[]): string {
  const names = new Map<string, number>();
  const add = (name: string, count: number): unknown => names.set(name, (names.get(name) ?? 0) + count);
  for (const event of events) {
    if (event.type === 'begun') add(event.name, 1);
    if (event.type === 'over') add(event.name, -1);
  }
  const open = [...names].filter(([, count]) => count > 0).map(([name]) => `“${name}”`);
  return open.length === 0 ? '' : `: ${open.join(', ')} had begun`;
}

export function countsOf({ events }: FileRun): Counts {
  return events.find((event) => event.type === 'summary')?.counts ?? seenOf(events);
}

/** Of a file that did not come to its summary. */
function seenOf(events: readonly ToldEvent[]): Counts {
  const passed = events.filter(({ type }) => type === 'test').length;
  const skipped = events.filter(({ type }) => type === 'skipped').length;
  const failed = events.filter((event) => event.type === 'failure' && event.isTest).length;
  return { tests: passed + failed + skipped, suites: 0, passed, failed, cancelled: 0, skipped, todo: 0 };
}
