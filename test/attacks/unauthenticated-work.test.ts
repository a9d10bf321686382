// What anybody may ask of the control API and of the OAuth frontend costs a bounded number of statements,
// each of which finds its rows by an index: nobody who holds nothing makes the service read all that it
// keeps. On both engines, which plan each for itself.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startControlOn } from '../support/control.ts';
import { createLoginRig } from '../support/login-rig.ts';
import { onEngines } from '../support/on-engines.ts';
import { planner, type StepsIn, watchStatements } from '../support/query-plans.ts';

const WRONG_KEY = { authorization: `Bearer dw_${'A'.repeat(43)}` };
const WRONG_TOKEN = { token: `crt_${'A'.repeat(43)}`, csr: 'none' };

const STATEMENT = /^\s*(select|with|insert|update|delete)\b/i;
/**
 * The feed looks for changes by itself, whoever asks for what; and each connection of a pool is looked at
 * once.
 */
const OF_NOBODY = ['"counter"."swept_to"', 'pg_is_in_recovery()'];

onEngines('unauthenticated work', ({ name, openStore, storeUrl }) => {
  let scansIn: StepsIn;
  const opened = new AsyncDisposableStack();
  before(async () => {
    const plans = await planner(await storeUrl());
    opened.defer(plans.close);
    ({ scansIn } = plans);
  });
  after(() => opened.disposeAsync());

  test('a statement that reads a whole table is seen as one', async () => {
    assert.equal((await scansIn(`select "id" from "sessions" where "user_agent" = 'any'`)).length, 1);
    assert.deepEqual(await scansIn(`select "user_agent" from "sessions" where "id" = 'any'`), []);
  });

  test('what anybody may ask reads few rows, found by an index (unauthenticated work)', async (t) => {
    const statements = watchStatements[name](t);
    await using control = await startControlOn(await openStore());
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
      await expectFew({ statements, scansIn, asked: call.path, most });
    }
  });

  test('what anybody may ask of the OAuth frontend reads few rows, found by an index (unauthenticated work)', async (t) => {
    const statements = watchStatements[name](t);
    await using rig = await createLoginRig({}, openStore);
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
      const asked = await expectFew({ statements, scansIn, asked: path, most });
      assert.equal(asked, known ? 1 : 0);
    }
  });
});

type Asked = {
  readonly statements: readonly string[];
  readonly scansIn: StepsIn;
  readonly asked: string;
  readonly most: number;
};

/** Answers how many there were. */
async function expectFew({ statements, scansIn, asked, most }: Asked): Promise<number> {
  const texts = statements.filter(
    (text) => STATEMENT.test(text) && !OF_NOBODY.some((part) => text.includes(part)),
  );
  assert.ok(texts.length <= most, `${asked}: ${texts.join('\n')}`);
  for (const text of texts) assert.deepEqual(await scansIn(text), [], `${asked}: ${text}`);
  return texts.length;
}
