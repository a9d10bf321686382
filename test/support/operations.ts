// What the walks over all operations of the control API need to know of them: for each path parameter, things
// of alice's that it can name; for each operation with a body, one that is accepted. An operation that is
// missing here fails the walks.

import assert from 'node:assert/strict';
import { type AccountId, newId, type WebhookId } from '../../src/domain/id.ts';
import { openApiDocument } from '../../src/control/openapi.ts';
import { addSession } from '../../src/store/suite/bench.test-support.ts';
import type { Store } from '../../src/store/store.ts';
import { askForAccess } from './access-requests.ts';
import { TEST_PROVIDER, type TestCall, type TestControl } from './control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from './openssl.ts';

/** What no answer and no event holds. */
export const FIXTURE_SECRET = 'a-secret-of-the-fixture';

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The one path parameter, null without. */
  readonly parameter: string | null;
  readonly permission: unknown;
  /** Whether it answers page by page. */
  readonly isPaged: boolean;
};

/** Each operation of the OpenAPI document, which takes a while to write: once for all who ask. */
export function operations(): readonly Operation[] {
  return (known ??= readOperations());
}

let known: readonly Operation[] | null = null;

function readOperations(): readonly Operation[] {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Described>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameter: /\{(\w+)\}/.exec(path)?.[1] ?? null,
      permission: described['x-permission'],
      isPaged: described.parameters?.some(({ name }) => name === 'cursor') ?? false,
    })),
  );
}

/**
 * Those for whoever logged in at a provider: what they do is in `src/control/console/own-access.test.ts`, of
 * those for members alone in `src/control/device-login/device-login.test.ts`, and of those for operators in
 * `test/attacks/operators.test.ts`.
 */
export function isForOneself(operation: Operation): boolean {
  const { permission } = operation;
  return permission === 'oneself' || permission === 'member' || isForOperators(operation);
}

export function isForOperators({ permission }: Operation): boolean {
  return permission === 'operator';
}

type Described = {
  readonly operationId: string;
  readonly 'x-permission': unknown;
  readonly parameters?: readonly { readonly name: string }[];
};

/** One call of an operation; `named` is what its path parameter names. */
export function callOf({ id, method, path }: Operation, named: string): TestCall {
  const json = BODIES[id];
  if (method === 'POST' || method === 'PATCH')
    assert.ok(json !== undefined, `test/support/operations.ts has no body for ${id}`);
  const query = QUERIES[id] ?? '';
  return {
    method,
    path: `${path.replace(/\{\w+\}/, encodeURIComponent(named))}${query}`,
    ...(json === undefined ? {} : { json }),
  };
}

export type Things = {
  /** By path parameter: each way to name the same kind of thing. */
  readonly named: Readonly<Record<string, readonly string[]>>;
  /** What none of another account's answers may hold. */
  readonly marks: readonly string[];
};

/** One of each thing that an account has. */
export async function addThings({
  call,
  store,
  alice,
}: Pick<TestControl<Store>, 'call' | 'store' | 'alice'>): Promise<Things> {
  const made = async (path: string, json: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, document } = await call({ path, json });
    assert.equal(status, 201, JSON.stringify(document));
    return document;
  };
  const share = await made('/v1/shares', {
    name: 'alices-share',
    target: 'http://127.0.0.1:3000',
    open: true,
  });
  const provider = await made('/v1/auth-providers', {
    name: 'alices-provider',
    type: 'OIDC',
    config: {
      clientId: 'c',
      clientSecret: FIXTURE_SECRET,
      issuerUrl: 'https://127.0.0.1/',
      scopes: ['openid', 'email'],
    },
  });
  const key = await made('/v1/api-keys', { name: 'alices-key' });
  const serviceToken = await made('/v1/tokens', {
    name: 'alices-service-token',
    shares: ['alices-share'],
    expiresIn: '90d',
  });
  const invited = await made('/v1/members', { email: 'bob@alice.test' });
  const member = invited['member'] as { readonly id: string };
  const host = await made('/v1/hosts', { host: 'alices.host.example', share: 'alices-share' });
  const webhook = await made('/v1/webhooks', { url: 'https://127.0.0.1/alices-webhook' });
  const delivery = await addDelivery(store, alice.id, String(webhook['id']));
  const token = await made('/v1/certificate-request-tokens', { name: 'laptop', commonName: 'alices-laptop' });
  const spent = await made('/v1/certificate-request-tokens', { name: 'phone', commonName: 'alices-phone' });
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  await made('/v1/client-certificates/redeem', { token: spent['token'], csr });
  const issued = (await store.certificates.list({ ...EVERY_CERTIFICATE, accountId: alice.id }))
    .certificates[0];
  assert.ok(issued);
  const session = await addSession(store, {
    share: { id: share['id'] as never, accountId: alice.id },
    at: Date.now(),
    email: 'visitor@alice.test',
  });
  await made('/v1/shares', {
    name: 'alices-asked-share',
    target: 'http://127.0.0.1:3000',
    oauthProvider: TEST_PROVIDER.name,
  });
  const accessRequest = await askForAccess(store, {
    accountId: alice.id,
    share: 'alices-asked-share',
    provider: TEST_PROVIDER,
    email: 'asker@alice.test',
  });
  const named = {
    account: [alice.id],
    accessRequest: [accessRequest],
    share: [String(share['id']), 'alices-share'],
    provider: ['alices-provider'],
    apiKey: [String(key['id']), 'alices-key'],
    serviceToken: [String(serviceToken['id']), 'alices-service-token'],
    member: [member.id, 'bob@alice.test'],
    session: [session],
    webhook: [String(webhook['id'])],
    delivery: [delivery],
    token: [String(token['id']), String(spent['id'])],
    certificate: [issued.id, issued.serial, issued.fingerprint],
    host: [String(host['id']), 'alices.host.example'],
  };
  const marks = [
    ...Object.values(named).flat(),
    String(provider['id']),
    'visitor@alice.test',
    'asker@alice.test',
  ];
  return { named, marks };
}

/** As a test of the webhook that arrived would leave it. */
async function addDelivery(store: Store, accountId: AccountId, webhook: string): Promise<string> {
  const id = newId('dlv');
  const about = { id, accountId, webhookId: webhook as WebhookId, eventId: newId('evt') };
  await store.deliveryLog.attempted(
    { ...about, kind: 'webhook.tested', payload: '{}' },
    {
      number: null,
      at: Date.now(),
      durationMs: 1,
      origin: 'https://127.0.0.1',
      status: 204,
      answer: '',
      reason: null,
    },
  );
  return id;
}

const EVERY_CERTIFICATE = {
  emailAddress: null,
  text: null,
  tokenId: null,
  state: null,
  endsBefore: null,
  now: 0,
  after: null,
  limit: 9,
} as const;

/** As `name`, of nobody. */
export function nobodys(name: string): string {
  const prefix = /^([a-z]{3})_/.exec(name)?.[1];
  if (prefix !== undefined) return newId(prefix);
  return name.includes('@') ? 'nobody@alice.test' : 'nobodys';
}

/** Bodies that are accepted, by operation. */
const BODIES: Readonly<Record<string, unknown>> = {
  createMember: { email: 'carol@example.com' },
  modifyMember: { role: 'admin' },
  inviteMember: {},
  createApiKey: { name: 'another' },
  endPersonAccess: { email: 'visitor@alice.test' },
  createServiceToken: { name: 'another', shares: ['alices-share'], expiresIn: '90d' },
  grantAccessRequest: { for: '7d' },
  dismissAccessRequest: {},
  findDeviceLogin: { userCode: 'BCDF-GHJK' },
  decideDeviceLogin: { userCode: 'BCDF-GHJK', allow: true },
  createShare: { name: 'another', target: 'http://127.0.0.1:3000', open: true },
  testShare: { email: 'ann@example.com' },
  modifyShare: { enabled: false },
  createAuthProvider: {
    name: 'another',
    type: 'OIDC',
    config: {
      clientId: 'c',
      clientSecret: FIXTURE_SECRET,
      issuerUrl: 'https://127.0.0.1/',
      scopes: ['openid', 'email'],
    },
  },
  createHost: { host: 'another.host.example', share: 'another' },
  verifyHost: {},
  createCertificateRequestToken: { name: 'another', commonName: 'ann' },
  rotateAccountCa: {},
  modifyCertificatePolicy: { organization: 'Corp' },
  revokeClientCertificate: {},
  revokeClientCertificatesOf: { emailAddress: 'nobody@alice.test' },
  revokeOwnCertificate: {},
  renewOwnCertificate: {},
  redeemCertificate: { token: 'crt_', csr: '' },
  renewCertificate: {},
  createWebhook: { url: 'https://127.0.0.1/another' },
  modifyWebhook: { enabled: false },
  rotateWebhookSecret: {},
  testWebhook: {},
  redeliverWebhookDelivery: {},
  testAuthProvider: {},
  applyState: { state: { webhooks: [{ name: 'applied', url: 'https://127.0.0.1/applied' }] } },
  modifyAuthProvider: {
    config: {
      clientId: 'd',
      clientSecret: FIXTURE_SECRET,
      issuerUrl: 'https://127.0.0.1/other',
      scopes: ['openid', 'email', 'profile'],
    },
  },
};

/** Query strings without which an operation does nothing. */
const QUERIES: Readonly<Record<string, string>> = {
  endSessionsOf: '?email=visitor@alice.test',
  listPersonShares: '?email=visitor@alice.test',
  showPerson: '?email=visitor@alice.test',
};
