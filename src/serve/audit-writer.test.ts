import assert from 'node:assert/strict';
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
  await writer.close();
  assert.deepEqual(written, [[first, second]]);
});

test('createAuditWriter() closes between two tries without waiting for the next, and gives up then', async () => {
  const refused = Promise.withResolvers<void>();
  const append = () => {
    refused.resolve();
    return Promise.reject(new Error('away'));
  };
  const writer = createAuditWriter({ append }, SILENT);
  writer.write([event()]);
  await refused.promise;
  // Nothing else keeps this process: were the next try waited for, it would end here.
  await new Promise((resolve) => setImmediate(resolve));
  await writer.close();
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
