// What anybody may ask of the control API costs a bounded number of statements, each of which finds its rows by an index:
// nobody who holds nothing makes the service read all that it keeps.

import assert from 'node:assert/strict';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { test } from 'node:test';
import { startControl } from '../support/control.ts';

const WRONG_KEY = { authorization: `Bearer dw_${'A'.repeat(43)}` };
const WRONG_TOKEN = { token: `crt_${'A'.repeat(43)}`, csr: 'none' };

const STATEMENT = /^\s*(select|with|insert|update|delete)\b/i;
/** The feed looks for changes by itself, whoever asks for what. */
const POLL = '"counter"."swept_to"';

test('what anybody may ask reads few rows, found by an index (unauthenticated work)', async (t) => {
  const statements: string[] = [];
  for (const name of ['all', 'get', 'run', 'iterate'] as const) {
    const method = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
    t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
      statements.push(this.sourceSQL);
      return method.apply(this, values);
    });
  }
  await using control = await startControl();
  using other = new DatabaseSync(control.store.sqliteFile, { readOnly: true });
  const pki = `/pki/${control.alice.id}`;
  // Lists are made once, and kept.
  for (const file of ['ca.pem', 'crl.der', 'crl.pem'])
    await control.call({ path: `${pki}/${file}`, as: null });
  const routes = [
    { path: '/redeem', most: 0 },
    { path: '/docs', most: 0 },
    { path: '/openapi.json', most: 0 },
    { path: '/console/', most: 0 },
    { path: '/auth/session', most: 0 },
    { path: '/auth/providers', most: 0 },
    { path: '/nothing', most: 0 },
    { path: '/v1/shares', most: 0 },
    { path: '/v1/shares', headers: WRONG_KEY, most: 1 },
    { path: '/v1/client-certificates/redeem', json: WRONG_TOKEN, most: 2 },
    { path: '/pki/acc_nobody/crl.der', most: 1 },
    { path: `${pki}/ca.pem`, most: 2 },
    { path: `${pki}/crl.der`, most: 3 },
    { path: `${pki}/crl.pem`, most: 3 },
    { path: `${pki}/nothing.crl`, most: 2 },
  ];
  for (const { most, ...call } of routes) {
    statements.length = 0;
    await control.call({ ...call, as: null });
    const asked = statements.filter((text) => STATEMENT.test(text) && !text.includes(POLL));
    assert.ok(asked.length <= most, `${call.path}: ${asked.join('\n')}`);
    for (const text of asked) {
      const plan = other.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
      for (const { detail } of plan)
        assert.doesNotMatch(String(detail), /^SCAN (?!CONSTANT)/, `${call.path}: ${text}`);
    }
  }
});
