// What anybody may ask of the control API and of the OAuth frontend costs a bounded number of statements, each of which finds its rows by an index:
// nobody who holds nothing makes the service read all that it keeps.

import assert from 'node:assert/strict';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { startControl } from '../support/control.ts';
import { createLoginRig } from '../support/login-rig.ts';

const WRONG_KEY = { authorization: `Bearer dw_${'A'.repeat(43)}` };
const WRONG_TOKEN = { token: `crt_${'A'.repeat(43)}`, csr: 'none' };

const STATEMENT = /^\s*(select|with|insert|update|delete)\b/i;
/** The feed looks for changes by itself, whoever asks for what. */
const POLL = '"counter"."swept_to"';

test('what anybody may ask reads few rows, found by an index (unauthenticated work)', async (t) => {
  const statements = watchStatements(t);
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
    expectFew({ statements, other, asked: call.path, most });
  }
});

test('what anybody may ask of the OAuth frontend reads few rows, found by an index (unauthenticated work)', async (t) => {
  const statements = watchStatements(t);
  await using rig = await createLoginRig();
  using other = new DatabaseSync(rig.store.sqliteFile, { readOnly: true });
  const madeUp = 'A'.repeat(43);
  const routes = [
    { path: '/corp/login', most: 0 },
    { path: `/corp/login?request=${madeUp}`, most: 0 },
    { path: '/corp/auth/callback', most: 0 },
    { path: `/corp/auth/callback?code=c&state=${madeUp}`, most: 0 },
    { path: '/corp/auth/callback?error=access_denied', most: 0 },
    { path: '/corp/logout', most: 0 },
    // A browser that began a login: its own sessions, by the hash of its cookie.
    { path: '/corp/logout', known: true, most: 1 },
    { path: '/corp/logged-out', most: 0 },
    { path: '/nobody/login', most: 0 },
    { path: '/.well-known/jwks.json', most: 0 },
    { path: '/nothing', most: 0 },
  ];
  for (const { most, path, known = false } of routes) {
    const browser = rig.browser();
    const at = (there: string) => new URL(there, rig.deps.oauth.endpointUrl);
    if (known) await browser.get(at('/corp/login'));
    statements.length = 0;
    await browser.get(at(path));
    const asked = expectFew({ statements, other, asked: path, most });
    assert.equal(asked, known ? 1 : 0);
  }
});

/** What SQLite is asked from now on, while the test runs. */
function watchStatements(t: TestContext): string[] {
  const statements: string[] = [];
  for (const name of ['all', 'get', 'run', 'iterate'] as const) {
    const method = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
    t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
      statements.push(this.sourceSQL);
      return method.apply(this, values);
    });
  }
  return statements;
}

type Asked = {
  readonly statements: readonly string[];
  readonly other: DatabaseSync;
  readonly asked: string;
  readonly most: number;
};

/** Answers how many there were. */
function expectFew({ statements, other, asked, most }: Asked): number {
  const texts = statements.filter((text) => STATEMENT.test(text) && !text.includes(POLL));
  assert.ok(texts.length <= most, `${asked}: ${texts.join('\n')}`);
  for (const text of texts) {
    const plan = other.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
    for (const { detail } of plan)
      assert.doesNotMatch(String(detail), /^SCAN (?!CONSTANT)/, `${asked}: ${text}`);
  }
  return texts.length;
}
