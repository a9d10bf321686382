import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import type { AuditEvent } from '../domain/audit-event.ts';
import { newId } from '../domain/id.ts';
import { createAuditWriter } from './audit-writer.ts';

test('createAuditWriter() tries again what the store did not take, before what came meanwhile', async () => {
  const written: (readonly AuditEvent[])[] = [];
  const refused = Promise.withResolvers<void>();
  const append = async (events: readonly AuditEvent[]) => {
    if (written.length === 0 && events.length === 1) {
      refused.resolve();
      throw new Error('away');
    }
    written.push(events);
  };
  const writer = createAuditWriter({ append }, SILENT);
  const [first, second] = [event(), event()];
  writer.write([first]);
  await refused.promise;
  writer.write([second]);
  assert.deepEqual(writer.backlog(), { waiting: 2, lost: 0 });
  await writer.close();
  assert.deepEqual(written, [[first, second]]);
  assert.deepEqual(writer.backlog(), { waiting: 0, lost: 0 });
});

test('createAuditWriter() drops what is too much, and tells how many', async () => {
  const go = Promise.withResolvers<void>();
  const writer = createAuditWriter({ append: () => go.promise }, SILENT);
  writer.write([event()]);
  writer.write(Array.from({ length: 10_002 }, event));
  assert.deepEqual(writer.backlog(), { waiting: 10_001, lost: 2 });
  go.resolve();
  await writer.close();
});

// Nothing else keeps these processes: were the next try waited for, they would end in the middle of it, with
// exit code 13.
for (const [name, call] of [
  ['createAuditWriter', `createAuditWriter({ append: refuse }, log); writer.write([{}]);`],
  [
    'createActivityWriter',
    `createActivityWriter({ table: { add: refuse }, now: () => 0, log }); writer.add([{ shareId: 'shr_one' }]);`,
  ],
] as const)
  test(`${name}() closes between two tries without waiting for the next, and gives up then`, () => {
    const file = new URL(
      name === 'createAuditWriter' ? 'audit-writer.ts' : 'activity-writer.ts',
      import.meta.url,
    );
    const script = `
      import { ${name} } from ${JSON.stringify(file.href)};
      const refused = Promise.withResolvers();
      const refuse = async () => { refused.resolve(); throw new Error('away'); };
      const log = { error: () => {}, warn: () => {} };
      const writer = ${call}
      await refused.promise;
      await new Promise((resolve) => setImmediate(resolve));
      await writer.close();
      process.stdout.write('closed');`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [0, 'closed'], stderr);
  });

function event(): AuditEvent {
  return {
    id: newId('evt'),
    at: 0,
    kind: 'login.refused',
    accountId: 'acc_one',
    shareId: null,
    sessionId: null,
    actor: null,
    email: null,
    provider: null,
    ip: null,
    reason: null,
    requestId: null,
  };
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
