// The end of the gate's output: what was slow, what was left out and why, what ran on which engine, which
// files failed, and the lines that Node's runner ends with.

import { ENGINES, type Engine } from '../../test/support/note-engine.ts';
import { type Counts, type FileRun, countsOf, failureText, faultOf, hasFailed } from './verdict.ts';

export function report(
  runs: readonly FileRun[],
  tookMs: number,
): { readonly text: string; readonly passed: boolean } {
  const failed = runs.filter(hasFailed);
  const total = totalOf(runs);
  const rows: readonly (readonly [string, number])[] = [
    ['tests', total.tests],
    ['suites', total.suites],
    ['pass', total.passed],
    ['fail', total.failed],
    ['cancelled', total.cancelled],
    ['skipped', total.skipped],
    ['todo', total.todo],
    ['duration_ms', tookMs],
  ];
  const unstable = runs.flatMap((run) => (run.first === null || hasFailed(run) ? [] : [run.first]));
  const text = [
    // Once more, where they are found: what the other files print stands between.
    ...[...unstable, ...failed].map(failureText),
    'the slowest files:\n',
    ...slowest(runs).map(
      ({ file, tookMs: took }) => `  ${(took / 1000).toFixed(1).padStart(6)} s  ${file}\n`,
    ),
    ...leftOut(runs),
    ...ENGINES.map((engine) => onEngine(engine, runs)),
    ...unstable.map((run) => `⚠ ${run.file}: ${inShort(run)} beside others, passed alone\n`),
    ...failed.map((run) => `✖ ${run.file}: ${inShort(run)}\n`),
    ...rows.map(([name, value]) => `ℹ ${name} ${value}\n`),
  ].join('');
  return { text, passed: failed.length === 0 && total.tests > 0 };
}

function slowest(runs: readonly FileRun[]): readonly FileRun[] {
  return runs.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, SHOWN);
}

/** By reason, such as a program that this machine lacks, with the files that it was given in. */
function leftOut(runs: readonly FileRun[]): readonly string[] {
  const skips = runs.flatMap(({ file, events }) =>
    events.flatMap((event) => (event.type === 'skipped' ? [{ file, reason: event.reason }] : [])),
  );
  return [...Map.groupBy(skips, ({ reason }) => reason)].toSorted().map(([reason, given]) => {
    const files = [...new Set(given.map(({ file }) => file))].toSorted().join(', ');
    return `﹣ ${given.length} skipped: ${reason} (${files})\n`;
  });
}

function onEngine(engine: Engine, runs: readonly FileRun[]): string {
  const on = runs.filter(({ engines }) => engines.includes(engine));
  return `ℹ ${engine}: ${on.length} files, ${totalOf(on).tests} tests\n`;
}

/** A file that is at fault as a whole is one test more, which failed. */
function totalOf(runs: readonly FileRun[]): Counts {
  const total = { tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 };
  for (const run of runs) {
    const counts = countsOf(run);
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name];
    if (faultOf(run) === null) continue;
    total.tests += 1;
    total.failed += 1;
  }
  return total;
}

function inShort(run: FileRun): string {
  const { failed, cancelled } = countsOf(run);
  return faultOf(run) ?? `${failed + cancelled} failed`;
}

const SHOWN = 10;
