// An upgrade in place, one gateway after the other while all of them serve, back to the version before, and
// forward again (DESIGN "Gateways and store"): nobody is logged out, nothing is lost, no request of somebody
// who is logged in fails. On SQLite the one gateway stops in between.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Secret } from '../../src/domain/secret.ts';
import { createNodeClient } from '../../src/client/node-client.ts';
import { createBrowser } from '../support/browser-by-hand.ts';
import { startEchoBackend } from '../support/echo-backend.ts';
import { keptRows, requireKept, rowsIn } from '../support/kept-rows.ts';
import { look, startFleetLoad, type FleetLoad, type Visitor } from '../support/fleet-load.ts';
import { FRONT_DOOR } from '../support/front-door.ts';
import { type Fleet, type FleetGateway, layOutFleet } from '../support/gateway-fleet.ts';
import { listenPort } from '../support/listen-port.ts';
import { programCall } from '../support/program-call.ts';
import { changeConfig, configFileOf, eventually } from '../support/serve-process.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';
import { postgresContents, sqliteContents } from '../support/store-contents.ts';
import { makeUpgradeData, personAt, type UpgradeData, type UpgradePlace } from '../support/upgrade-data.ts';

export type Upgrade = {
  /** Front doors: what is upgraded, and what is rolled back to. */
  readonly from: string;
  readonly back: string;
  /** What each visitor gets at least between two steps. */
  readonly answers: number;
  readonly workers: number;
  /** How many of the three gateways go back. */
  readonly rolledBack: number;
  /** Between two requests of a visitor. */
  readonly restMs: number;
};

export type Upgraded = { readonly starts: number; readonly answers: number; readonly rows: number };

/** Three gateways on one PostgreSQL behind nginx. */
export async function upgradeFleet(given: Upgrade): Promise<Upgraded> {
  const { from, back, answers, workers, rolledBack, restMs } = given;
  const fleet = await layOutFleet();
  let starts = 0;
  const startAs = async (gateway: FleetGateway, program: string) => {
    await gateway.stop('SIGTERM');
    await gateway.start(program);
    starts++;
  };
  try {
    for (const gateway of fleet.gateways) {
      changeConfig(gateway, ({ gateway: section }) => Object.assign(section ?? {}, { workers }));
      await startAs(gateway, from);
    }
    await fleet.addAccount(from);
    const place = placeOfFleet(fleet);
    await using data = await makeUpgradeData(place);
    await data.check();
    const contents = postgresContents(fleet.postgres, fleet.storeUrl);
    const before = await keptRows(contents);
    const load = startFleetLoad(loadOf(data), restMs);
    /** One after the other, with what is looked at while versions differ. */
    const roll = async (program: string, count: number, between: () => Promise<void>) => {
      const sofar = load.seen.map((kept) => kept.length);
      for (const [index, gateway] of fleet.gateways.slice(0, count).entries()) {
        await load.untilMore(answers);
        await startAs(gateway, program);
        await load.untilMore(answers);
        if (index === 0) await between();
      }
      await data.check();
      requireServed(
        data,
        load.seen.map((kept, index) => kept.slice(sofar[index])),
        program === FRONT_DOOR ? BEFORE_ENDS : [],
      );
    };
    await roll(FRONT_DOOR, fleet.gateways.length, besideEachOther(place, data));
    requireKept(before, await keptRows(contents));
    const { checkOpen, checkClosed } = await makeLater(place);
    await checkOpen(place.vias);
    const later = await keptRows(contents);
    await roll(back, rolledBack, async () => {
      await checkClosed(place.vias.slice(0, 1));
      await checkOpen(place.vias.slice(1));
    });
    await checkClosed(place.vias.slice(0, rolledBack));
    await roll(FRONT_DOOR, rolledBack, () => checkOpen(place.vias.slice(0, 1)));
    await checkOpen(place.vias);
    await load.end();
    requireKept(later, await keptRows(contents));
    await data.useUp();
    assert.equal(load.broken(), 0, 'no connection broke');
    return { starts, answers: load.seen.flat().length, rows: rowsIn(before) };
  } finally {
    await fleet.close();
  }
}

/** One gateway with SQLite, over TLS: it stops, and another version starts. */
export async function upgradeSingle({ from, back }: Pick<Upgrade, 'from' | 'back'>): Promise<Upgraded> {
  const backend = await startEchoBackend();
  const metricsPort = await listenPort();
  const service = await layOutService({ tls: true, program: from, metricsPort });
  let starts = 0;
  const startAs = async (program: string) => {
    await service.stop();
    await service.start(program);
    starts++;
  };
  try {
    changeConfig(service, (config) => Object.assign(config, { outbound_allow: ['127.0.0.1'] }));
    await startAs(from);
    const place = placeOf(service, backend.url);
    await using data = await makeUpgradeData(place);
    await data.check();
    const contents = sqliteContents(service.storeFile);
    const before = await keptRows(contents);
    const backup = join(service.folder, 'before-upgrade');
    await doorward(service, from, ['backup', '--to', backup]);
    await startAs(FRONT_DOOR);
    await data.check();
    await requireSound(service, metricsPort);
    requireKept(before, await keptRows(contents));
    const { checkOpen, checkClosed } = await makeLater(place);
    await checkOpen(place.vias);
    const later = await keptRows(contents);
    await startAs(back);
    await data.check();
    await checkClosed(place.vias);
    await startAs(FRONT_DOOR);
    await data.check();
    await checkOpen(place.vias);
    requireKept(later, await keptRows(contents));
    await data.useUp();
    // Further back than one version: the backup that was made before.
    await service.stop();
    changeConfig(service, ({ store }) => Object.assign(store ?? {}, { url: 'sqlite:data/restored.db' }));
    await doorward(service, from, ['restore', backup, '--keep-sessions']);
    await startAs(from);
    for (const { browser, url, email } of data.people)
      assert.equal((await look(browser, url)).email, email, 'the backup has the sessions');
    return { starts, answers: 0, rows: rowsIn(before) };
  } finally {
    await service.close();
    await backend.close();
  }
}

/** How the guide sees that all went well. */
async function requireSound(service: ServiceProcess, metricsPort: number): Promise<void> {
  await doorward(service, FRONT_DOOR, ['health']);
  assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status, 200);
  // Of names and certificates that only this machine knows it may find something, of the database nothing.
  const report = await doorward(service, FRONT_DOOR, ['doctor', '--json']);
  const { groups } = JSON.parse(report) as { groups: readonly { name: string; checks: readonly Seen[] }[] };
  const store = groups.find(({ name }) => name === 'store')?.checks ?? [];
  assert.ok(store.length > 0);
  assert.deepEqual(
    store.filter(({ state }) => state !== 'ok'),
    [],
  );
}

type Seen = { readonly state: string };

/** What a command says, whatever it ends with where that is JSON. */
async function doorward(service: ServiceProcess, program: string, given: readonly string[]): Promise<string> {
  const { command, words } = programCall(program);
  const all = [...words, ...given, '--config', configFileOf(service)];
  try {
    return (await promisify(execFile)(command, all)).stdout;
  } catch (error) {
    if (given.includes('--json') && error instanceof Error && 'stdout' in error) return String(error.stdout);
    throw error;
  }
}

function placeOfFleet(fleet: Fleet): UpgradePlace {
  const { gateways, endpointUrl, backend } = fleet;
  const [first] = gateways;
  return {
    clients: gateways.map(({ client }) => client),
    clientWith: first.clientWith,
    vias: gateways.map(({ via }) => via),
    browser: (via) => createBrowser(via === undefined ? {} : { userAgent: via }),
    endpointUrl,
    backendUrl: backend.url,
    tlsPort: null,
  };
}

function placeOf(service: ServiceProcess, backendUrl: string): UpgradePlace {
  const { client, controlUrl, endpointUrl, port, tls } = service;
  assert.ok(tls);
  return {
    clients: [client],
    clientWith: (apiKey) => createNodeClient({ url: new URL(controlUrl), apiKey: new Secret(apiKey) }),
    vias: [undefined],
    browser: () => createBrowser({ ca: tls.ca }),
    endpointUrl,
    backendUrl,
    tlsPort: port,
  };
}

/** What one version does all do, while the first gateway is of another than the others. */
function besideEachOther(place: UpgradePlace, data: UpgradeData): () => Promise<void> {
  return async () => {
    const [next, former] = place.vias;
    const [ofNext, ofFormer] = place.clients;
    assert.ok(ofNext && ofFormer);
    for (const [at, other] of [
      [next, former],
      [former, next],
    ] as const) {
      const email = `fay-${at}@example.com`;
      const { browser, url } = await personAt(place, data.wiki, email, at);
      for (const via of place.vias) assert.equal((await look(browser, url, via)).email, email);
      const out = await browser.open(`${url}/.svc/logout`, { headers: { 'user-agent': String(other) } });
      await browser.open(out.location ?? '', { headers: { 'user-agent': String(other) } });
      for (const via of place.vias) assert.equal((await look(browser, url, via)).status, 302);
    }
    // Steps of a login are answered by either.
    for (const name of ['gus', 'hal', 'ivy']) await personAt(place, data.wiki, `${name}@example.com`);
    for (const [client, other, name] of [
      [ofNext, ofFormer, 'of-next'],
      [ofFormer, ofNext, 'of-former'],
    ] as const) {
      const target = place.backendUrl;
      const share = await client.shares.create({ name, target, oauthProvider: 'corp' });
      for (const via of place.vias)
        await eventually(`${via} knows ${name}`, async () => {
          return (await look(place.browser(), share.url, via)).status === 302;
        });
      await other.shares.modify(name, { oauthEmailAddressPatterns: ['nobody@example.com'] });
      assert.deepEqual((await client.shares.show(name)).oauthEmailAddressPatterns, ['nobody@example.com']);
      const key = await client.apiKeys.create({ name, role: 'member' });
      await other.apiKeys.remove(key.id);
      await assert.rejects(place.clientWith(key.key).shares.list(), { code: 'api_key_invalid' });
    }
    await data.check();
  };
}

/** What the version before does not know: a share with rules, which it must not open to anybody. */
async function makeLater(place: UpgradePlace) {
  const [client] = place.clients;
  assert.ok(client);
  const share = await client.shares.create({
    name: 'ruled',
    target: place.backendUrl,
    oauthProvider: 'corp',
    rules: [
      { allow: { everyone: true, paths: ['/healthz'] } },
      { allow: { tokens: ['bot'] } },
      { deny: { emails: ['mallory@*'] } },
    ],
  });
  // Shares that the version before cannot make sense of must not keep it from serving the others.
  const target = place.backendUrl;
  await client.shares.create({ name: 'fronted', behind: true, oauthProvider: 'corp' });
  await client.shares.create({ name: 'named', target, oauthProvider: 'corp', hostHeader: 'target' });
  await client.shares.create({ name: 'asked', target, oauthProvider: 'corp', accessRequests: true });
  await client.shares.create({ name: 'told', target, oauthProvider: 'corp', identity: ['groups'] });
  const person = await personAt(place, share, 'jan@example.com');
  const { token } = await client.serviceTokens.create({ name: 'bot', shares: ['ruled'], expiresIn: '1h' });
  // The version before knows no auditors, who must not become anything else there.
  const auditor = await client.apiKeys.create({ name: 'audit', role: 'auditor' });
  const statuses = async (via: string | undefined) => {
    const agent = via === undefined ? {} : { 'user-agent': via };
    const calls = [
      person.browser.open(share.url, { headers: agent }),
      place.browser().open(share.url, { headers: { ...agent, 'svc-auth-token': token } }),
      place.browser().open(`${share.url}/healthz`, { headers: agent }),
    ];
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  const each = async (vias: UpgradePlace['vias'], check: (seen: readonly number[]) => boolean) => {
    for (const via of vias) await eventually(`rules at ${via}`, async () => check(await statuses(via)));
  };
  return {
    checkOpen: (vias: UpgradePlace['vias']) => each(vias, (seen) => seen.every((status) => status === 200)),
    checkClosed: async (vias: UpgradePlace['vias']) => {
      for (const via of vias) {
        const seen = await statuses(via);
        assert.ok(
          seen.every((status) => status !== 200),
          `at ${via}: ${seen.join()}`,
        );
      }
      // The first gateway is the one that goes back first.
      const asAuditor = place.clientWith(auditor.key);
      await assert.rejects(asAuditor.shares.list(), { code: 'not_allowed' });
      await assert.rejects(asAuditor.shares.remove('ruled'), { code: 'not_allowed' });
    },
  };
}

/** Pages, forms that are sent, and who must not get in. */
function loadOf({ people, strangers }: UpgradeData): readonly Visitor[] {
  const forms = people.map(({ browser, url }) => {
    const headers = { origin: new URL(url).origin, 'sec-fetch-site': 'same-origin' };
    return { browser, url, request: { method: 'POST', headers, body: 'a=1' } };
  });
  return [...people, ...forms, ...strangers];
}

/** `forms`: what a form that is sent may be answered, too. */
function requireServed(
  { people, strangers }: UpgradeData,
  seen: FleetLoad['seen'],
  forms: readonly number[],
): void {
  const wanted = people.map(({ email }) => ({ status: 200, email }));
  const each = [...wanted, ...wanted, ...strangers.map(() => OUT)];
  for (const [index, kept] of seen.entries()) {
    const isForm = index >= people.length && index < 2 * people.length;
    for (const { gateway, ...got } of kept)
      if (!isForm || !forms.includes(got.status))
        assert.deepEqual(got, each[index], `${index} at ${gateway}`);
  }
}

/**
 * The version before resets who has just connected when it ends; nginx asks another gateway for a page, but
 * sends no form twice.
 */
const BEFORE_ENDS = [502];
const OUT = { status: 302, email: null };
