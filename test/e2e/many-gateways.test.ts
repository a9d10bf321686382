// Three gateways on one PostgreSQL behind nginx (DESIGN "Gateways and store", "Check interval"): what one
// does all do, and neither their deaths nor the database's let anybody in or log anybody out. One fleet for
// all tests; they run in order.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import type { ShareObject } from '../../src/wire/share.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { look, startFleetLoad, type FleetLoad, type Visitor } from '../support/fleet-load.ts';
import { copyOf, logIn, logOut, openSocket, openStream, type Stream } from '../support/fleet-visits.ts';
import { redeemAtAll, redeemAtKilled } from '../support/fleet-redeem.ts';
import { type Fleet, type FleetGateway, layOutFleet, NGINX } from '../support/gateway-fleet.ts';
import { startOidcProvider, type OidcProviderStandIn } from '../support/providers/oidc-provider.ts';
import { changeConfig, eventually, hangUp, logOf } from '../support/serve-process.ts';
import { corpClient } from '../support/service.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

describe('three gateways', { skip: existsSync(NGINX) ? false : 'nginx is not installed' }, () => {
  let fleet: Fleet;
  before(async () => {
    fleet = await layOutFleet();
  });
  after(() => fleet?.close());

  test('start at the same time on an empty database, and make its tables once (DESIGN 3)', async () => {
    await Promise.all(fleet.gateways.map((gateway) => gateway.start()));
    const made = await sql<{ number: number }>('SELECT number FROM migrations ORDER BY number');
    assert.ok(made.length > 0);
    assert.deepEqual(
      made.map(({ number }) => number),
      made.map((_, index) => index + 1),
    );
    const [counter] = await sql<{ count: string }>('SELECT count(*) FROM change_counter');
    assert.equal(counter?.count, '1');
    await fleet.addAccount();
    for (const { client } of fleet.gateways) assert.deepEqual((await client.shares.list()).items, []);
  });

  test('a login through one opens the share at all; a logout through another ends it at all within 2 s, streams included', async () => {
    const [one, two, three] = fleet.gateways;
    const share = await addShare(one, 'walk');
    const browser = await logIn(share, 'ada@example.com', one);
    for (const { via, name } of [two, three, one])
      assert.deepEqual(await look(browser, share.url, via), {
        status: 200,
        gateway: name,
        email: 'ada@example.com',
      });
    const cookie = browser.jar.header(new URL(share.url)) ?? '';
    const streams = [
      await openSocket(share, cookie, one),
      await openStream(share, cookie, two),
      await openSocket(share, cookie, three),
    ];
    await logOut(browser, share, three);
    const since = performance.now();
    const copied = copyOf(cookie);
    for (const { via } of fleet.gateways)
      await eventually(`${via} refuses`, async () => (await copied(share.url, via)) !== 200);
    await Promise.all(streams.map(({ over }) => over));
    assert.ok(performance.now() - since < PROMPTLY_MS);
    for (const { via } of fleet.gateways) assert.notEqual(await copied(share.url, via), 200);
  });

  test('a login whose every step is answered by another gateway succeeds', async () => {
    const share = await addShare(fleet.gateways[1], 'turns');
    const browser = createBrowser();
    const { last, answers } = await walkLogin(browser, share.url, { email: 'bob@example.com' });
    assert.equal(last.status, 200, last.body.slice(0, 300));
    const ours = answers.map(({ headers }) => headers['x-gateway']).filter((name) => name !== undefined);
    assert.ok(new Set(ours).size > 1, 'nginx takes turns');
  });

  test('requests at every gateway are told to whoever watches at one', async () => {
    const [one] = fleet.gateways;
    const share = await addShare(one, 'watched');
    const leave = new AbortController();
    const events = one.client.shares.watch('watched', leave.signal)[Symbol.asyncIterator]();
    try {
      const seen = new Set<string>();
      // The others hear of the watch a moment later, so they are asked until it is told.
      for (const { via } of fleet.gateways) {
        const asking = new AbortController();
        const asked = (async () => {
          while (!asking.signal.aborted) await look(createBrowser(), `${share.url}/${via}`, via);
        })();
        while (!seen.has(`/${via}`)) {
          const { value } = await events.next();
          if (value?.kind === 'request') seen.add(value.request.path);
        }
        asking.abort();
        await asked;
      }
    } finally {
      leave.abort();
    }
  });

  test('50 requests over all gateways past the check interval make one refresh at a provider that rotates', async () => {
    const share = await addShare(fleet.gateways[0], 'checked');
    for (let round = 0; round < 3; round++) {
      // Each a person of their own: a token that was refreshed just now is not refreshed again.
      const email = `cyd-${round}@example.com`;
      const browser = await logIn(share, email);
      await makeDue(email);
      const sofar = fleet.idp.counts.refreshes;
      const requests = Array.from({ length: 50 }, (_, index) =>
        look(browser, `${share.url}/${index}`, fleet.gateways[index % 3]?.via),
      );
      const seen = await Promise.all(requests);
      assert.deepEqual([...new Set(seen.map(({ status }) => status))], [200]);
      assert.equal(new Set(seen.map(({ gateway }) => gateway)).size, 3);
      assert.equal(fleet.idp.counts.refreshes - sofar, 1, `round ${round}`);
    }
    assert.equal(fleet.idp.counts.refreshFailures, 0);
  });

  test('a definition changed under load is what the next login uses; a changed issuer ends its sessions (contract 2.4)', async () => {
    const [one, two, three] = fleet.gateways;
    const callback = `${fleet.endpointUrl}/own/auth/callback`;
    const client = { ...corpClient(''), redirectUris: [callback] };
    await using former = disposable(await startOidcProvider({ clients: [client] }));
    await using next = disposable(await startOidcProvider({ clients: [client] }));
    const config = {
      clientId: client.clientId,
      clientSecret: client.clientSecret,
      issuerUrl: former.issuer,
      scopes: ['openid', 'email'],
    };
    await one.client.providers.create({ name: 'own', type: 'OIDC', config });
    const share = await addShare(one, 'defined', 'own');
    const visitors = await Promise.all(
      ['dan', 'eve'].map(async (name) => ({
        browser: await logIn(share, `${name}@example.com`),
        url: share.url,
      })),
    );
    const load = startFleetLoad(visitors);
    await load.untilMore(5);
    await two.client.providers.modify('own', { config: { ...config, prompt: 'consent' } });
    await logIn(share, 'fay@example.com', two);
    await eventually('the others use it, too', async () => {
      await logIn(share, 'fay@example.com', three);
      return former.authorizations.at(-1)?.get('prompt') === 'consent';
    });
    await load.untilMore(5);
    assert.ok(load.seen.flat().every(({ status }) => status === 200));
    await two.client.providers.modify('own', { config: { ...config, issuerUrl: next.issuer } });
    await eventually('everybody is out', async () => {
      await load.untilMore(6);
      return load.seen.every((kept) => kept.slice(-6).every(({ status }) => status === 302));
    });
    await load.end();
    for (const { name } of fleet.gateways)
      for (const kept of load.seen) {
        const statuses = kept.filter(({ gateway }) => gateway === name).map(({ status }) => status);
        assert.deepEqual(statuses, statuses.toSorted(), 'who is out of a gateway stays out');
      }
    const asked = former.counts.authorizations;
    for (const gateway of fleet.gateways) await logIn(share, 'gus@example.com', gateway);
    assert.deepEqual([former.counts.authorizations, next.counts.authorizations > 0], [asked, true]);
    const { items } = await three.client.sessions.list({ provider: 'own', state: 'active' });
    assert.deepEqual([...new Set(items.map(({ email }) => email))], ['gus@example.com']);
  });

  test('a change that is numbered first and committed last is missed by nobody (DESIGN 3)', async () => {
    const share = await addShare(fleet.gateways[0], 'ordered');
    const early = await logIn(share, 'hal@example.com');
    const late = await logIn(share, 'ivy@example.com');
    const [first, second] = [await sessionOf('hal@example.com'), await sessionOf('ivy@example.com')];
    const writer = new Client({ connectionString: fleet.storeUrl.reveal() });
    await writer.connect();
    try {
      await writer.query('BEGIN');
      await writer.query('UPDATE sessions SET ended_at = 1, end_reason = $1 WHERE id = $2', ['raw', first]);
      const { rows } = await writer.query<{ number: string }>(
        'UPDATE change_counter SET number = number + 1 WHERE id = 1 RETURNING number',
      );
      await writer.query(`INSERT INTO changes (number, at, kind, subject_id) VALUES ($1, 1, 'session', $2)`, [
        rows[0]?.number,
        first,
      ]);
      const ended = fleet.gateways[1].client.sessions.end(second);
      ended.catch(() => undefined);
      await eventually('the second waits for its number', async () => {
        const waiting = await sql(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%change_counter%'`,
        );
        return waiting.length > 0;
      });
      // Nobody is ended yet; gateways poll all the while.
      for (const { via } of fleet.gateways)
        for (const browser of [early, late]) assert.equal((await look(browser, share.url, via)).status, 200);
      await writer.query('COMMIT');
      await ended;
    } finally {
      await writer.end();
    }
    for (const { via } of fleet.gateways)
      for (const browser of [early, late])
        await eventually(`${via} has both`, async () => (await look(browser, share.url, via)).status === 302);
  });

  test('a gateway killed while tokens are redeemed: each is one certificate, which another gateway hands out (2.7)', async () => {
    const [, victim, other] = fleet.gateways;
    await redeemAtKilled(victim, other);
    await victim.start();
  });

  test('200 redemptions of one token over all gateways at once make one certificate (2.7)', async () => {
    await redeemAtAll(fleet.gateways);
  });

  test('a gateway killed under load loses no session and lets nobody in, and takes its turns again', async () => {
    const crowd = await gather('killed');
    const victim = fleet.gateways[1];
    const load = startFleetLoad(crowd.visitors);
    for (let round = 0; round < 2; round++) {
      await load.untilMore(5);
      await victim.stop('SIGKILL');
      await load.untilMore(10);
      await victim.start();
      const since = load.seen[0]?.length ?? 0;
      await eventually('it takes its turns again', () =>
        load.seen[0]?.slice(since).some(({ gateway }) => gateway === victim.name),
      );
    }
    await load.untilMore(10);
    await load.end();
    crowd.check(load);
    await crowd.checkSessions();
  });

  test('PostgreSQL restarted under load: whoever is known gets in, logins fail closed, all recovers by itself', async () => {
    const crowd = await gather('restarted');
    const share = await addShare(fleet.gateways[0], 'strangers');
    const pids = fleet.gateways.map(({ pid }) => pid());
    // Each gateway has seen each session: what it has not seen it would have to ask the store for.
    for (const { via } of fleet.gateways)
      for (const { browser, url } of crowd.visitors) await look(browser, url, via);
    const load = startFleetLoad(crowd.visitors);
    await load.untilMore(5);
    await fleet.postgres.crash();
    await load.untilMore(10);
    await fleet.postgres.start();
    await eventually('one gateway is back', () => fleet.gateways[0].client.shares.list().catch(() => null));
    await fleet.postgres.stop();
    try {
      await load.untilMore(10);
      const { last } = await walkLogin(createBrowser(), share.url, { email: 'joe@example.com' });
      assert.equal(last.status, 503);
      assert.ok(last.headers['retry-after'] !== undefined);
      assert.match(last.body, /try again/i);
      for (const { client } of fleet.gateways)
        await assert.rejects(client.shares.list(), { code: 'store_unavailable' });
    } finally {
      await fleet.postgres.start();
    }
    for (const { client } of fleet.gateways)
      await eventually('the control API is back', () => client.shares.list().catch(() => null));
    await load.untilMore(10);
    await load.end();
    crowd.check(load);
    await eventually('one logs in again', async () => {
      const { last } = await walkLogin(createBrowser(), share.url, { email: 'joe@example.com' });
      return last.status === 200;
    });
    await crowd.checkSessions();
    assert.deepEqual(
      fleet.gateways.map(({ pid }) => pid()),
      pids,
    );
  });

  test('PostgreSQL away for longer than outage_grace: 503, open streams close, /readyz says so; then all recovers', async () => {
    const share = await addShare(fleet.gateways[0], 'away');
    const browser = await logIn(share, 'kim@example.com');
    const cookie = browser.jar.header(new URL(share.url)) ?? '';
    for (const gateway of fleet.gateways) {
      changeConfig(gateway, (config) => Object.assign(config['store'] ?? {}, { outage_grace: '2s' }));
      assert.match((await hangUp(gateway)).msg, /^Reloaded/);
    }
    const streams: Stream[] = [];
    for (const gateway of fleet.gateways) streams.push(await openSocket(share, cookie, gateway));
    await fleet.postgres.stop();
    try {
      for (const { via, metricsUrl } of fleet.gateways) {
        await eventually('503', async () => (await look(browser, share.url, via)).status === 503);
        await eventually('not ready', async () => (await fetch(`${metricsUrl}/readyz`)).status === 503);
      }
      await Promise.all(streams.map(({ over }) => over));
    } finally {
      await fleet.postgres.start();
    }
    for (const { via, metricsUrl } of fleet.gateways) {
      await eventually('200', async () => (await look(browser, share.url, via)).status === 200);
      await eventually('ready', async () => (await fetch(`${metricsUrl}/readyz`)).status === 200);
    }
  });

  test('none of this was a fault of the service', () => {
    for (const gateway of fleet.gateways) {
      const faults = logOf(gateway).filter(({ level, msg }) => level === 'error' && !/store/.test(msg));
      assert.deepEqual(
        faults.filter(({ err }) => (err as { code?: string } | undefined)?.code !== 'store_unavailable'),
        [],
      );
    }
  });

  function sql<Row extends object>(text: string): Promise<readonly Row[]> {
    return fleet.postgres.query<Row>(fleet.storeUrl, text);
  }

  /**
   * Known to every gateway: the one that made it answers when it knows it itself, and the others hear of it.
   */
  async function addShare(
    { client }: FleetGateway,
    name: string,
    oauthProvider = 'corp',
  ): Promise<ShareObject> {
    const share = await client.shares.create({ name, target: fleet.backend.url, oauthProvider });
    for (const { via } of fleet.gateways)
      await eventually(`${via} knows ${name}`, async () => {
        const { status } = await look(createBrowser(), share.url, via);
        return status === 302;
      });
    return share;
  }

  async function sessionOf(email: string): Promise<string> {
    const { items } = await fleet.gateways[0].client.sessions.list({ email, state: 'active' });
    const [session] = items;
    assert.ok(session);
    return session.id;
  }

  /** Its last check is long ago, and each gateway has to ask the store, as after it missed changes. */
  async function makeDue(email: string): Promise<void> {
    const day = 24 * 60 * 60 * 1000;
    await sql(`UPDATE sessions SET checked_at = checked_at - ${day} WHERE email = '${email}'`);
    await sql('UPDATE change_counter SET number = number + 1, swept_to = number + 1 WHERE id = 1');
    // A call to the control API is answered once its gateway has caught up.
    for (const { client } of fleet.gateways) await client.shares.modify('checked', { enabled: true });
  }

  /** Two who are in, and three who must not be: nobody, one whose session ended, one of another share. */
  async function gather(name: string) {
    const share = await addShare(fleet.gateways[0], name);
    const other = await addShare(fleet.gateways[0], `${name}-other`);
    const emails = [`lea-${name}@example.com`, `max-${name}@example.com`];
    const good: Visitor[] = [];
    for (const email of emails) good.push({ browser: await logIn(share, email), url: share.url });
    const ended = await logIn(share, `ned-${name}@example.com`);
    await fleet.gateways[0].client.sessions.end(await sessionOf(`ned-${name}@example.com`));
    for (const { via } of fleet.gateways)
      await eventually('it has ended', async () => (await look(ended, share.url, via)).status === 302);
    const stranger = await logIn(other, `oda-${name}@example.com`);
    const bad = [ended, stranger, createBrowser()].map((browser) => ({ browser, url: share.url }));
    const visitors: readonly Visitor[] = [...good, ...bad];
    return {
      visitors,
      check: ({ seen }: FleetLoad): void => {
        for (const [index, kept] of seen.entries()) {
          const email = emails[index] ?? null;
          const wanted = { status: email === null ? 302 : 200, email };
          for (const { gateway, ...got } of kept) assert.deepEqual(got, wanted, `${index} at ${gateway}`);
        }
      },
      checkSessions: async (): Promise<void> => {
        const { items } = await fleet.gateways[2].client.sessions.list({ share: name, state: 'active' });
        assert.deepEqual(items.map((item) => item.email).toSorted(), emails);
        for (const { via } of fleet.gateways)
          for (const { browser, url } of good) assert.equal((await look(browser, url, via)).status, 200);
      },
    };
  }
});

function disposable(provider: OidcProviderStandIn): OidcProviderStandIn & AsyncDisposable {
  return { ...provider, [Symbol.asyncDispose]: provider.close };
}
