// The service while its store is away (DESIGN "Gateways and store"), on a PostgreSQL server that is stopped
// and started.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import type { Secret } from '../../src/domain/secret.ts';
import { startOwnPostgres, type OwnPostgres } from '../support/postgres.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

const OUTAGE_GRACE_MS = 6_000;

let postgres: OwnPostgres;
let service: TestService;
let place: Secret;
before(async () => {
  postgres = await startOwnPostgres();
  place = await postgres.place();
  const store = { url: place.reveal(), outage_grace: `${OUTAGE_GRACE_MS / 1000}s` };
  service = await startTestService({ sections: { store } });
});
after(async () => {
  await service?.close();
  await postgres?.[Symbol.asyncDispose]();
});

test('store away: known sessions are served for outage_grace, logins fail at once, then 503 and not ready; back, all is well', async () => {
  const share = await service.share('demo');
  const ada = service.browser();
  assert.equal((await walkLogin(ada, share.url, { email: 'ada@example.com' })).last.status, 200);
  assert.equal((await ready()).status, 200);

  await postgres.stop();
  const awaySince = performance.now();
  assert.equal((await ada.open(share.url)).status, 200);
  // From the first moment on, long before the status says so too.
  const said = await (await ready()).json();
  assert.deepEqual((said as { checks: unknown }).checks, { gateway: 'ok', store: 'away' });
  const { last: login } = await walkLogin(service.browser(), share.url, { email: 'grace@example.com' });
  assert.equal(login.status, 503);
  // Whether or not the grace was over meanwhile on a slow machine, nothing but these two may be answered.
  const refused = await eventually('the grace is over', async () => {
    const answer = await ada.open(share.url);
    assert.ok(answer.status === 200 || answer.status === 503, String(answer.status));
    return answer.status === 503 && answer;
  });
  assert.ok(performance.now() - awaySince > OUTAGE_GRACE_MS / 2);
  assert.match(refused.body, /database/);
  const notReady = await ready();
  assert.equal(notReady.status, 503);
  assert.deepEqual(await notReady.json(), { ready: false, checks: { gateway: 'ok', store: 'away' } });
  const health = await fetch(`http://127.0.0.1:${service.ports.metrics}/healthz`);
  assert.equal(health.status, 200);

  await postgres.start();
  await eventually('it is ready again', async () => (await ready()).status === 200);
  await eventually('the session goes on', async () => (await ada.open(share.url)).status === 200);
  const again = service.browser();
  assert.equal((await walkLogin(again, share.url, { email: 'grace@example.com' })).last.status, 200);
});

test('store full: known sessions are served, nobody logs in, /readyz and metrics say why; with room again, all is well', async () => {
  const share = await service.share('full');
  const ada = service.browser();
  assert.equal((await walkLogin(ada, share.url, { email: 'ada@example.com' })).last.status, 200);
  // As a server answers each write whose disk is full (53100).
  await eachTable(
    `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE OR DELETE ON %I EXECUTE FUNCTION full_disk()`,
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
     $f$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $f$`,
  );
  const { last: login } = await walkLogin(service.browser(), share.url, { email: 'grace@example.com' });
  assert.equal(login.status, 503);
  const said = await ready();
  assert.equal(said.status, 200, 'known sessions are served');
  assert.deepEqual(await said.json(), { ready: true, checks: { gateway: 'ok', store: 'disk_full' } });
  assert.equal((await ada.open(share.url)).status, 200);
  await eachTable(`DROP TRIGGER full_disk ON %I`);
  const again = service.browser();
  assert.equal((await walkLogin(again, share.url, { email: 'grace@example.com' })).last.status, 200);
  assert.deepEqual(await (await ready()).json(), { ready: true, checks: { gateway: 'ok', store: 'ok' } });
  const metrics = await fetch(`http://127.0.0.1:${service.ports.metrics}/metrics`);
  const offset = /^doorward_store_clock_offset_seconds (\S+)$/m.exec(await metrics.text())?.[1];
  assert.ok(Math.abs(Number(offset)) < 2, `${offset}`);
});

test('store away: a logout logs out at once, is refused here, and is in the store when that is back (4.2)', async () => {
  const share = await service.share('leaving');
  const ada = service.browser();
  assert.equal((await walkLogin(ada, share.url, { email: 'ada@example.com' })).last.status, 200);
  const copy = service.browser();
  for (const cookie of ada.jar.all()) copy.jar.put(cookie);
  assert.equal((await copy.open(share.url)).status, 200);

  await postgres.stop();
  const out = await ada.open(
    `${service.endpointUrl}/corp/logout?redirect_url=${service.endpointUrl}/logged-out`,
  );
  assert.deepEqual([out.status, out.location?.pathname], [302, '/logged-out']);
  assert.match(out.setCookies.join(), /^svc-auth-session=; .*Max-Age=0/);
  assert.notEqual((await copy.open(share.url)).status, 200, 'a copied cookie is refused, too');

  await postgres.start();
  await eventually('it is ready again', async () => (await ready()).status === 200);
  await eventually('the logout is written down', async () => {
    const { items } = await service.client.auditEvents.list();
    return items.some(({ kind }) => kind === 'logout');
  });
  await service.restart();
  assert.notEqual((await copy.open(share.url)).status, 200, 'it ended in the store');
});

/** Runs the statement for each table of the store. */
async function eachTable(statement: string, first = ''): Promise<void> {
  if (first !== '') await postgres.query(place, first);
  await postgres.query(
    place,
    `DO $d$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
     LOOP EXECUTE format('${statement}', name); END LOOP; END $d$`,
  );
}

function ready(): Promise<Response> {
  return fetch(`http://127.0.0.1:${service.ports.metrics}/readyz`);
}
