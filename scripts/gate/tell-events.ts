// The reporter that each test file runs under: what the gate judges by, a line of JSON for each event.
// Failures are put into words here, where the errors still are errors.

import { inspect } from 'node:util';
import type { ToldEvent } from './verdict.ts';

type Data = {
  readonly name: string;
  readonly file?: string;
  readonly line?: number;
  readonly message?: string;
  readonly skip?: string | boolean;
  readonly counts?: Extract<ToldEvent, { readonly type: 'summary' }>['counts'];
  readonly details?: {
    readonly type?: string;
    readonly error?: { readonly cause?: unknown; readonly failureType?: string };
  };
};

export default async function* tellEvents(
  source: AsyncIterable<{ readonly type: string; readonly data: Data }>,
): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    const told = tellOne(type, data);
    if (told !== null) yield `${JSON.stringify(told)}\n`;
  }
}

function tellOne(type: string, data: Data): ToldEvent | null {
  const { details, counts } = data;
  const isSuite = details?.type === 'suite';
  switch (type) {
    case 'test:dequeue':
    case 'test:complete':
      return { type: type === 'test:dequeue' ? 'begun' : 'over', name: data.name };
    case 'test:pass':
      if (data.skip !== undefined) return { type: 'skipped', name: data.name, reason: reasonOf(data.skip) };
      return isSuite ? null : { type: 'test', name: data.name };
    case 'test:fail':
      if (details?.error?.failureType === 'subtestsFailed')
        return isSuite ? null : { type: 'test', name: data.name };
      return { type: 'failure', name: data.name, isTest: !isSuite, text: failure(data) };
    case 'test:diagnostic':
      return data.message?.includes('asynchronous activity after') === true
        ? { type: 'late', text: data.message }
        : null;
    case 'test:summary':
      return counts === undefined ? null : { type: 'summary', counts };
    default:
      return null;
  }
}

/** A test that is left out by `skip: true`, or by `test.skip()`, says none. */
function reasonOf(skip: string | boolean): string {
  return typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
}

function failure(data: Data): string {
  const error = data.details?.error;
  const text = inspect(error?.cause ?? error, { depth: 6 });
  return `✖ ${data.name}\n  at ${data.file ?? ''}:${data.line ?? 0}\n${text.replaceAll(/^/gm, '  ')}\n\n`;
}
