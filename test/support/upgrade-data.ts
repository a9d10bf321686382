// What an account has before an upgrade, of every kind and made as people make it, and that all of it still
// does what it did: at each gateway, whichever version it is of.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import type { Client } from '../../src/client/client.ts';
import type { ShareObject } from '../../src/wire/share.ts';
import { type Browser, walkLogin } from './browser-by-hand.ts';
import { look, type Visitor } from './fleet-load.ts';
import { callTls } from './mutual-tls.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from './openssl.ts';
import { type OidcProviderStandIn, startOidcProvider } from './providers/oidc-provider.ts';
import { eventually } from './serve-process.ts';
import { corpClient } from './service.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export type UpgradePlace = {
  /** With the account's first key, one for each gateway. */
  readonly clients: readonly Client[];
  readonly clientWith: (apiKey: string) => Client;
  /** The User-Agents that lead to one gateway each; undefined where there is one alone. */
  readonly vias: readonly (string | undefined)[];
  readonly browser: (via?: string) => Browser;
  readonly endpointUrl: string;
  readonly backendUrl: string;
  /** Where the gateway ends TLS, and can ask for certificates; null over plain HTTP. */
  readonly tlsPort: number | null;
};

export type LoggedIn = Visitor & { readonly email: string };

export type UpgradeData = AsyncDisposable & {
  readonly people: readonly LoggedIn[];
  /** Who must not get in: nobody, somebody of another share, somebody whose session ended. */
  readonly strangers: readonly Visitor[];
  readonly wiki: ShareObject;
  /** All of it, at each gateway. */
  readonly check: () => Promise<void>;
  /** What can be done once. */
  readonly useUp: () => Promise<void>;
};

export async function makeUpgradeData(place: UpgradePlace): Promise<UpgradeData> {
  await using parts = new AsyncDisposableStack();
  const { clientId, clientSecret } = corpClient('');
  const redirectUris = [`${place.endpointUrl}/partner/auth/callback`];
  const partner = await startOidcProvider({ clients: [{ clientId, clientSecret, redirectUris }] });
  parts.defer(partner.close);
  const receiver = await startWebhookReceiver();
  parts.defer(receiver.close);
  const [client] = place.clients;
  assert.ok(client);
  const shares = await makeShares(place, client, partner);
  const { people, strangers } = await makePeople(place, client, shares);
  const { keys, invitation } = await makeAccess(client);
  const certificates = await makeCertificates(client);
  const { id } = await client.webhooks.create({ url: receiver.url, name: 'siem' });
  await client.webhooks.test(id);
  assert.ok(receiver.received.length > 0);
  await client.hosts.create({ host: 'open.customer.example', share: 'open' });
  const kept = parts.move();
  return {
    people,
    strangers,
    wiki: shares.wiki,
    async check() {
      await checkVisits(place, { people, strangers, open: shares.open });
      await checkKeys(place, keys);
      await checkCertificates(place, shares.strict, certificates);
    },
    useUp: () => useUp(place, { token: certificates.open, invitation, receiver }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A login through that gateway, or through whichever is chosen. */
export async function personAt(
  place: UpgradePlace,
  share: ShareObject,
  email: string,
  via?: string,
): Promise<LoggedIn> {
  const browser = place.browser(via);
  // Other gateways hear of a new share or provider a moment later.
  const last = await eventually(`${email} is in`, async () => {
    const walk = await walkLogin(browser, share.url, { email });
    return walk.last.status === 404 ? null : walk.last;
  });
  assert.equal(last.status, 200, `${last.url.href}: ${last.body.slice(0, 300)}`);
  return { browser, url: share.url, email };
}

async function makeShares(place: UpgradePlace, client: Client, partner: OidcProviderStandIn) {
  const { clientId, clientSecret } = corpClient('');
  const scopes = ['openid', 'email', 'profile'];
  const config = { clientId, clientSecret, issuerUrl: partner.issuer, scopes };
  await client.providers.create({ name: 'partner', type: 'OIDC', config });
  const target = place.backendUrl;
  const patterns = { oauthEmailAddressPatterns: ['*@example.com'], oauthCheckInterval: '1h' };
  const wiki = await client.shares.create({ name: 'wiki', target, oauthProvider: 'corp', ...patterns });
  const docs = await client.shares.create({ name: 'docs', target, oauthProvider: 'partner' });
  const plain = { name: 'open', target };
  // The first edition asks for no such word.
  const open = await client.shares.create({ ...plain, open: true }).catch(() => client.shares.create(plain));
  await client.shares.create({ name: 'home', tunnel: 'reserved', oauthProvider: 'corp' });
  const asks = { clientCertificate: { required: true, subject: null, unit: null } };
  const strict =
    place.tlsPort === null ? null : await client.shares.create({ name: 'strict', target, ...asks });
  return { wiki, docs, open, strict };
}

async function makePeople(place: UpgradePlace, client: Client, { wiki, docs }: Shares) {
  const [ann, bob] = [
    await personAt(place, wiki, 'ann@example.com'),
    await personAt(place, wiki, 'bob@example.com'),
  ];
  const cyd = await personAt(place, docs, 'cyd@partner.test');
  const ended = await personAt(place, wiki, 'dan@example.com');
  const { items } = await client.sessions.list({ email: 'dan@example.com', state: 'active' });
  for (const { id } of items) await client.sessions.end(id);
  const browsers = [ended.browser, cyd.browser, place.browser()];
  return { people: [ann, bob, cyd], strangers: browsers.map((browser) => ({ browser, url: wiki.url })) };
}

type Shares = Awaited<ReturnType<typeof makeShares>>;

async function makeAccess(client: Client) {
  const { invitation } = await client.members.create({ email: 'eve@acme.test', role: 'admin' });
  const reader = await client.apiKeys.create({ name: 'reader', role: 'member', scope: 'read' });
  const admin = await client.apiKeys.create({ name: 'admin', role: 'admin', expiresIn: '90d' });
  return { invitation: new URL(invitation.url), keys: { reader, admin } };
}

async function makeCertificates({ certificates }: Client) {
  const held = [];
  for (const commonName of ['build-1', 'build-2']) {
    const { key, csr } = newCsr();
    const { token } = await certificates.createToken({ name: commonName, commonName });
    const { certificate, chain, serial } = await certificates.redeem({ token, csr });
    held.push({ key, certificate: certificate + chain, serial });
  }
  const [good, revoked] = held;
  assert.ok(good && revoked);
  await certificates.revoke(revoked.serial, {});
  return { good, revoked, open: await certificates.createToken({ name: 'build-3', commonName: 'build-3' }) };
}

type Visits = Pick<UpgradeData, 'people' | 'strangers'> & { readonly open: ShareObject };

async function checkVisits({ vias, browser: newBrowser }: UpgradePlace, visits: Visits): Promise<void> {
  for (const via of vias) {
    for (const { browser, url, email } of visits.people) {
      const { status, email: told } = await look(browser, url, via);
      assert.deepEqual([status, told], [200, email], `at ${via}`);
    }
    for (const { browser, url } of visits.strangers)
      assert.equal((await look(browser, url, via)).status, 302, `at ${via}`);
    assert.equal((await look(newBrowser(), visits.open.url, via)).status, 200, `at ${via}`);
  }
}

async function checkKeys({ clientWith }: UpgradePlace, { reader, admin }: Keys): Promise<void> {
  for (const { key } of [reader, admin]) assert.ok((await clientWith(key).shares.list()).items.length > 0);
  const made = await clientWith(admin.key).apiKeys.create({ name: 'for-a-moment' });
  await clientWith(admin.key).apiKeys.remove(made.id);
  await assert.rejects(clientWith(reader.key).apiKeys.create({ name: 'none' }), { code: 'not_allowed' });
}

type Keys = Awaited<ReturnType<typeof makeAccess>>['keys'];

type Certificates = Awaited<ReturnType<typeof makeCertificates>>;

async function checkCertificates(
  { clients, tlsPort }: UpgradePlace,
  strict: ShareObject | null,
  { good, revoked }: Certificates,
): Promise<void> {
  for (const client of clients) {
    const { items } = await client.certificates.authorities();
    const leaf = new X509Certificate(good.certificate);
    assert.ok(items.some(({ certificate }) => leaf.verify(new X509Certificate(certificate).publicKey)));
    assert.equal((await client.certificates.show(good.serial)).state, 'living');
    assert.equal((await client.certificates.show(revoked.serial)).state, 'revoked');
  }
  if (strict === null || tlsPort === null) return;
  const host = new URL(strict.url).hostname;
  assert.equal((await callTls(tlsPort, { host, pair: good })).status, 200);
  assert.equal((await callTls(tlsPort, { host, pair: revoked })).code, 'certificate_revoked');
}

type Once = {
  readonly token: { readonly token: string };
  readonly invitation: URL;
  readonly receiver: WebhookReceiver;
};

/** At all gateways at once: one certificate, one member, and a delivery. */
async function useUp(place: UpgradePlace, { token: { token }, invitation, receiver }: Once): Promise<void> {
  const told = issuedIn(receiver);
  const tries = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) => {
      const client = place.clients[index % place.clients.length];
      assert.ok(client);
      return client.certificates.redeem({ token, csr: newCsr().csr });
    }),
  );
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1, 'a token is one certificate');
  const browser = place.browser();
  // Links of the first edition lead to the page of today.
  const { stopped } = await browser.follow(invitation, ({ pathname }) => pathname === '/auth/invitation');
  const { last } = await walkLogin(browser, stopped ?? invitation, { email: 'eve@acme.test' });
  assert.equal(last.status, 200, last.body.slice(0, 300));
  const [client] = place.clients;
  assert.ok(client);
  const member = (await client.members.list()).items.find(({ email }) => email === 'eve@acme.test');
  assert.equal(member?.state, 'active');
  await eventually('the webhook is told', () => issuedIn(receiver) > told);
}

function issuedIn({ received }: WebhookReceiver): number {
  return received.filter(({ event }) => event['kind'] === 'certificate.issued').length;
}

function newCsr() {
  return opensslCsr(OPENSSL_ALGORITHMS['P-256']);
}
