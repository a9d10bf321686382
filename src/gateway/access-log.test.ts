import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { createAccessLog } from './access-log.ts';
import { noEvents, type Exchange } from './inbound.ts';
import { Visit } from './visit.ts';

test('createAccessLog() writes one line of JSON a request, whatever is in it, and no query (THREATS "Secrets")', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 20 });
  fc.assert(
    fc.property(text, text, text, (rest, query, email) => {
      const path = `/${rest.replaceAll(/[?#]/g, '')}`;
      const line = lineOf({ target: `${path}?${query}`, email });
      assert.deepEqual([line['path'], line['email'], line['status'], line['bytes']], [path, email, 200, 280]);
    }),
  );
  for (const [target, path] of Object.entries({
    '/a#b?c': '/a',
    '*': '*',
    '*?a': '',
    'http://user:secret@a.example/b?c': '/b',
    secret: '',
  }))
    assert.equal(lineOf({ target })['path'], path, target);
});

test('createAccessLog() tells times as RFC 3339, in milliseconds (observability)', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  for (const time of [
    '2026-11-21T08:59:05.000Z',
    '2026-11-21T08:59:05.007Z',
    '2026-11-21T08:59:05.999Z',
    '2026-11-21T08:59:06.040Z',
    '2026-11-21T08:59:05.100Z',
  ]) {
    t.mock.timers.setTime(Date.parse(time));
    assert.equal(lineOf({ target: '/' })['time'], time);
  }
});

type Asked = { readonly target: string; readonly email?: string };

function lineOf({ target, email }: Asked): Record<string, unknown> {
  const visit = new Visit({ ...EXCHANGE, target }, 'id');
  Object.assign(visit, { status: 200, bytesSent: 280, email: email ?? null });
  let lines = '';
  const log = createAccessLog((text) => (lines += text));
  log.write(visit, true);
  log.flush();
  assert.match(lines, /^[^\n]*\n$/);
  const line = JSON.parse(lines) as Record<string, unknown>;
  assert.ok(typeof line['ms'] === 'number' && line['ms'] >= 0);
  return line;
}

const EXCHANGE = {
  protocol: 'HTTP/1.1',
  method: 'GET',
  rawHeaders: [],
  remoteAddress: '192.0.2.1',
  events: noEvents(),
} as unknown as Exchange;
