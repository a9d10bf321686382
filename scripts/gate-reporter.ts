// Prints failures as they happen and the runner's usual summary at the end, and nothing of what passes.

import { inspect } from 'node:util';

type TestData = {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly details?: { readonly error?: { readonly cause?: unknown; readonly failureType?: string } };
};
type SummaryData = {
  readonly file?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly duration_ms: number;
};
type Event = { readonly type: string; readonly data: TestData & SummaryData & { readonly message?: string } };

export default async function* gateReporter(source: AsyncIterable<Event>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:fail' && data.details?.error?.failureType !== 'subtestsFailed') yield failure(data);
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message ?? '';
    if (type === 'test:summary' && data.file === undefined) yield summary(data);
  }
}

function failure(data: TestData): string {
  const error = data.details?.error;
  const text = inspect(error?.cause ?? error, { depth: 6 });
  return `✖ ${data.name}\n  at ${data.file ?? ''}:${data.line ?? 0}\n${text.replaceAll(/^/gm, '  ')}\n\n`;
}

function summary(data: SummaryData): string {
  const { counts } = data;
  const rows: readonly (readonly [string, number | undefined])[] = [
    ['tests', counts['tests']],
    ['suites', counts['suites']],
    ['pass', counts['passed']],
    ['fail', counts['failed']],
    ['cancelled', counts['cancelled']],
    ['skipped', counts['skipped']],
    ['todo', counts['todo']],
    ['duration_ms', data.duration_ms],
  ];
  return rows.map(([name, value]) => `ℹ ${name} ${value ?? 0}\n`).join('');
}
