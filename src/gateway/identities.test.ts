import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import { newId } from '../domain/id.ts';
import type { ServiceToken } from '../domain/service-token.ts';
import type { LiveSession } from '../domain/session.ts';
import type { SessionFacts } from '../domain/session-facts.ts';
import { LOGIN, SHARE } from '../../test/support/decision-rows.ts';
import { shareLogin } from '../../test/support/share-login.ts';
import type { AssertionFacts } from './assertion.ts';
import { createIdentities } from './identities.ts';

const SESSION: LiveSession = {
  id: newId('ses'),
  shareId: SHARE.id,
  providerGeneration: LOGIN.provider!.generation,
  email: 'ada@example.com',
  expiresAt: Date.UTC(2026, 10, 21, 8, 59, 5),
  bindingHash: null,
  subject: 's',
  checkedAt: 0,
  refreshable: true,
  confirmed: true,
  ended: false,
};
const FACTS = { share: SHARE, host: 'demo.share.example.com', session: SESSION, certificate: null };
const CERTIFICATE: CertificateFacts = {
  accountId: SHARE.accountId,
  commonName: 'ann',
  organizationalUnit: null,
  subject: 'CN=ann,O=Corp',
  serial: '0A',
  fingerprint: 'ff',
  notBefore: 0,
  notAfter: 2_000_000,
  goodUntil: 2_000_000,
  clientAuth: true,
  tunnelOnly: false,
  revoked: false,
};
const PROVIDER = LOGIN.provider?.name ?? '';
const SIGNED_AT = 1_000_000;

/** Counts what was signed. */
function rig() {
  const signed: AssertionFacts[] = [];
  const identities = createIdentities({
    prefix: 'svc-auth-',
    assertions: (facts) => `token-${signed.push(facts)}`,
    originOf: (host) => `https://${host}`,
  });
  return { signed, identities };
}

function text(email: string, token: string): string {
  return (
    `svc-auth-provider: ${PROVIDER}\r\nsvc-auth-email: ${email}\r\n` +
    `svc-auth-expires: 2026-11-21T08:59:05Z\r\nsvc-auth-assertion: ${token}\r\n`
  );
}

function own(token: string): string {
  return (
    'svc-auth-cert-subject: CN=ann,O=Corp\r\nsvc-auth-cert-serial: 0A\r\n' +
    `svc-auth-cert-fingerprint: ff\r\nsvc-auth-assertion: ${token}\r\n`
  );
}

test('createIdentities() signs a session once a minute (DESIGN "Signed identity")', () => {
  const { signed, identities } = rig();
  for (const after of [0, 1, 59_999])
    assert.equal(
      identities({ ...FACTS, session: { ...SESSION } }, SIGNED_AT + after).text,
      text(SESSION.email, 'token-1'),
    );
  assert.equal(identities(FACTS, SIGNED_AT + 60_000).text, text(SESSION.email, 'token-2'));
  // A clock that was set back must not make an assertion live for longer.
  assert.equal(identities(FACTS, SIGNED_AT).text, text(SESSION.email, 'token-3'));
  assert.deepEqual(
    signed.map(({ login, audience }) => [login?.provider, audience]),
    Array.from({ length: 3 }, () => [PROVIDER, `https://${FACTS.host}`]),
  );
});

test('createIdentities() writes again what changed: share, host, email, subject, expiry, session (2.6)', () => {
  const { signed, identities } = rig();
  const changed: readonly (typeof FACTS)[] = [
    FACTS,
    { ...FACTS, share: { ...SHARE } },
    { ...FACTS, host: 'own.example' },
    { ...FACTS, session: { ...SESSION, email: 'grace@example.com' } },
    { ...FACTS, session: { ...SESSION, subject: 't' } },
    { ...FACTS, session: { ...SESSION, expiresAt: SESSION.expiresAt + 1 } },
    { ...FACTS, session: { ...SESSION, id: newId('ses') } },
  ];
  for (const [index, facts] of changed.entries())
    assert.equal(identities(facts, SIGNED_AT).text, text(facts.session.email, `token-${index + 1}`));
  assert.equal(signed.length, changed.length);
});

test('createIdentities() tells of a certificate alone, and of both, each for its share (DESIGN "Mutual TLS")', () => {
  const { signed, identities } = rig();
  const alone = { ...FACTS, session: null, certificate: CERTIFICATE };
  for (const at of [SIGNED_AT, SIGNED_AT + 1]) assert.equal(identities(alone, at).text, own('token-1'));
  const other = { ...alone, share: { ...SHARE, id: newId('shr') } };
  assert.equal(identities(other, SIGNED_AT).text, own('token-2'));
  assert.equal(identities(alone, SIGNED_AT).text, own('token-1'));
  const both = identities({ ...FACTS, certificate: CERTIFICATE }, SIGNED_AT).text;
  assert.equal(both, text(SESSION.email, '').replace('svc-auth-assertion: \r\n', '') + own('token-3'));
  assert.deepEqual(
    signed.map(({ login, certificate }) => [login?.session.id, certificate?.serial]),
    [
      [undefined, '0A'],
      [undefined, '0A'],
      [SESSION.id, '0A'],
    ],
  );
});

test('createIdentities() tells of a service token by its name, until it ends, and of no address (DESIGN "Service tokens")', () => {
  const { signed, identities } = rig();
  const token = serviceToken();
  const alone = { ...FACTS, session: null, token };
  const told = identities(alone, SIGNED_AT).text;
  assert.equal(
    told,
    'svc-auth-provider: token\r\nsvc-auth-subject: deploy-bot\r\n' +
      'svc-auth-expires: 2026-11-21T09:00:00Z\r\nsvc-auth-assertion: token-1\r\n',
  );
  assert.equal(identities(alone, SIGNED_AT + 1).text, told);
  const other = { ...alone, token: { ...serviceToken(), name: 'other' } };
  assert.match(identities(other, SIGNED_AT).text, /svc-auth-subject: other\r\n/);
  assert.match(identities({ ...alone, share: { ...SHARE, id: newId('shr') } }, SIGNED_AT).text, /token-3/);
  assert.equal(signed[0]?.token, token);
  const unclean = { ...token, id: newId('tok'), name: 'a\r\nb' };
  assert.throws(() => identities({ ...alone, token: unclean }, SIGNED_AT), { code: 'internal' });
});

function serviceToken(): ServiceToken {
  return {
    id: newId('tok'),
    accountId: SHARE.accountId,
    name: 'deploy-bot',
    hash: 'hash',
    shareIds: [SHARE.id],
    expiresAt: Date.UTC(2026, 10, 21, 9),
  };
}

test('createIdentities() writes nothing unclean, and nothing without a provider (THREATS "Header smuggling")', () => {
  const { identities } = rig();
  const unclean = { ...SESSION, email: 'a@b\r\nsvc-auth-email: c@d' };
  const nobody = { ...SHARE, login: shareLogin({ ...LOGIN, provider: null }) };
  for (let turn = 0; turn < 2; turn++) {
    assert.throws(() => identities({ ...FACTS, session: unclean }, SIGNED_AT), { code: 'internal' });
    assert.throws(() => identities({ ...FACTS, share: nobody }, SIGNED_AT), { code: 'internal' });
    for (const subject of ['', ' CN=ann', 'CN=ann\r\nsvc-auth-email: c@d', 'CN=\u00e4'])
      assert.throws(() => identities({ ...FACTS, certificate: { ...CERTIFICATE, subject } }, SIGNED_AT), {
        code: 'internal',
      });
  }
});

const SAID = {
  groups: ['eng', 'R&D, south', 'a\r\nsvc-auth-email: boss@example.com', 'größe', '50%', ' led '],
  claims: { department: ['R&D'], odd: ['x\r\ny'] },
  acr: null,
  amr: [],
  authTime: null,
  name: 'Zoë “Z” Doe, Jr.',
};

test('createIdentities() tells what the share says and nothing else; nothing can be read as two (header injection by group names)', () => {
  const { signed, identities } = rig();
  const telling = (identity: readonly string[], facts: SessionFacts | undefined) => {
    const session = facts === undefined ? SESSION : { ...SESSION, subject: 'a subject', facts };
    const fields = identities({ ...FACTS, share: { ...SHARE, identity }, session }, SIGNED_AT);
    return { text: fields.text, headers: new Map(pairs(fields.headers)), claims: signed.at(-1)?.login?.told };
  };
  const all = telling(['groups', 'name', 'subject', 'claims'], SAID);
  const groups = all.headers.get('svc-auth-groups') ?? '';
  assert.equal(
    groups,
    'eng,R&D%2C south,a%0D%0Asvc-auth-email: boss@example.com,gr%C3%B6%C3%9Fe,50%25,%20led%20',
  );
  assert.deepEqual(groups.split(',').map(decodeURIComponent), SAID.groups);
  assert.equal(all.headers.get('svc-auth-name'), 'Zo%C3%AB %E2%80%9CZ%E2%80%9D Doe, Jr.');
  assert.equal(all.headers.get('svc-auth-subject'), 'a subject');
  assert.equal(all.text.split('\r\n').length, 8, 'three more fields, and the end');
  assert.deepEqual(all.claims, { groups: SAID.groups, name: SAID.name, claims: SAID.claims });
  const some = telling(['groups'], SAID);
  assert.deepEqual(
    [some.headers.get('svc-auth-name'), some.headers.get('svc-auth-subject')],
    [undefined, undefined],
  );
  assert.deepEqual(some.claims, { groups: SAID.groups });
  const none = telling([], SAID);
  assert.deepEqual([none.headers.size, none.claims], [4, {}]);
  const unknown = telling(['groups', 'name', 'claims'], undefined);
  assert.deepEqual([unknown.headers.size, unknown.claims], [4, { claims: {} }]);
  const empty = telling(['groups'], { ...SAID, groups: [] });
  assert.deepEqual([empty.headers.get('svc-auth-groups'), empty.claims], [undefined, { groups: [] }]);
});

test('createIdentities() leaves groups of more than 8 KiB to the assertion, and says there when even that cannot hold them (10,000 groups)', () => {
  const { signed, identities } = rig();
  const telling = (groups: readonly string[]) => {
    const session = { ...SESSION, facts: { ...SAID, groups } };
    const share = { ...SHARE, identity: ['groups', 'name'] };
    const fields = identities({ ...FACTS, share, session }, SIGNED_AT);
    return { names: pairs(fields.headers).map(([name]) => name), claims: signed.at(-1)?.login?.told };
  };
  assert.ok(telling(named(512)).names.includes('svc-auth-groups'), '16 each, but for the last');
  const large = telling(named(513));
  assert.equal(large.names.includes('svc-auth-groups'), false);
  assert.deepEqual(large.claims, { groups: named(513), name: SAID.name });
  const huge = telling(Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(256, 'x')));
  assert.equal(huge.names.includes('svc-auth-groups'), false);
  assert.deepEqual(huge.claims, { identity_omitted: ['groups', 'name'] });
});

test('createIdentities() writes again what a check found, and no more often for a thousand groups (Groups and claims)', () => {
  const { signed, identities } = rig();
  const share = { ...SHARE, identity: ['groups'] };
  const many = { ...SAID, groups: Array.from({ length: 1_000 }, (_, index) => `g${index}`) };
  for (let at = 0; at < 5; at++)
    identities({ ...FACTS, share, session: { ...SESSION, facts: many } }, SIGNED_AT + at);
  assert.equal(signed.length, 1);
  identities({ ...FACTS, share, session: { ...SESSION, facts: SAID } }, SIGNED_AT + 9);
  assert.equal(signed.length, 2);
});

function named(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `group-${index}`.padEnd(15, 'x'));
}

function pairs(headers: readonly string[]): readonly (readonly [string, string])[] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : []));
}
