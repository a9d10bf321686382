// A person by the API, on both engines: what they hold, and the end of all of it, with what the audit says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControlOn, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';
import { onEngines } from '../../../test/support/on-engines.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { newId, type ShareId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import type { Store } from '../../store/store.ts';
import { addSession, HOUR_MS } from '../../store/suite/bench.test-support.ts';
import { loginOf } from '../../store/suite/people.test-support.ts';
import type { EndedAccessObject, PersonObject } from '../../wire/person.ts';

type Rig = TestControl<Store & AsyncDisposable>;
const ANN = 'ann@alice.test';

onEngines('the access of a person', (engine) => {
  test('GET /v1/people/person counts what somebody holds, for admins; POST /v1/people/end-access ends it, once', async (t) => {
    const control = await startControlOn(await engine.openStore());
    t.after(() => control[Symbol.asyncDispose]());
    const shareId = await giveAll(control);
    const held = await person(control);
    assert.deepEqual(
      [held.member?.email, held.counts],
      [
        ANN,
        { sessions: 2, consoleSessions: 1, certificates: 1, requestTokens: 1, apiKeys: 1, serviceTokens: 0 },
      ],
    );
    assert.deepEqual(
      [held.requestTokens[0]?.name, held.apiKeys[0]?.name, held.accessRequests],
      ['tablet', 'anns', []],
    );
    const input = { email: 'ANN@alice.test', reason: 'key_compromise' };
    const { status, document } = await control.call({ path: '/v1/people/end-access', json: input });
    assert.equal(status, 200, JSON.stringify(document));
    const ended = document as unknown as EndedAccessObject;
    assert.deepEqual(
      [ended.sessions, ended.consoleSessions, ended.membership, ended.serviceTokens],
      [2, 1, 'kept', { count: 0, deleted: false }],
    );
    assert.deepEqual(
      [ended.certificates, ended.requestTokens, ended.apiKeys].map((things) =>
        things.map(({ name }) => name),
      ),
      [['laptop'], ['tablet'], ['anns']],
    );
    const { counts, member } = await person(control);
    assert.deepEqual([Object.values(counts), member?.email], [[0, 0, 0, 0, 0, 0], ANN]);
    const events = (await control.call({ path: `/v1/audit-events?email=${ANN}&limit=20` })).document;
    const kinds = (events['items'] as readonly { kind: string; reason: string; actor: string }[]).filter(
      ({ actor, kind }) => actor.startsWith('api-key:') && !kind.endsWith('.created'),
    );
    assert.deepEqual(kinds.map(({ kind }) => kind).slice(0, 6), [
      'access.ended',
      'api_key.deleted',
      'certificate_token.deleted',
      'certificate.revoked',
      'session.ended',
      'session.ended',
    ]);
    assert.equal(
      kinds[0]?.reason,
      '2 sessions, 1 console session, 1 certificate, 1 request token, 1 API key',
    );
    // The rule stays: a login that sets out now is let in.
    await addSession(control.store, sessionOf(control, shareId, Date.now() + 5));
    assert.equal((await person(control)).counts.sessions, 1);
    const other = await control.call({
      path: '/v1/people/end-access',
      json: { email: ANN },
      as: control.mallory,
    });
    assert.equal((other.document as unknown as EndedAccessObject).sessions, 0);
    assert.equal((await person(control)).counts.sessions, 1);
    for (const email of ['', 'ann', 'ann@alice.test, bob@alice.test'])
      assert.equal(
        (await control.call({ path: '/v1/people/end-access', json: { email } })).status,
        422,
        email,
      );
  });

  test('doorward person show and person end: the numbers, the result of each, and the membership where it is said', async (t) => {
    const control = await startControlOn(await engine.openStore());
    t.after(() => control[Symbol.asyncDispose]());
    await giveAll(control);
    const doorward = (words: string) =>
      callDoorward(words.split(' '), {
        env: { DOORWARD_URL: control.url.origin, DOORWARD_API_KEY: control.alice.apiKey.reveal() },
      });
    const shown = await doorward(`person show ${ANN}`);
    assert.match(
      shown.out,
      /^member with role member; 2 sessions, 1 console session, 1 certificate, 1 unused certificate request token, 1 API key\n/,
    );
    const ended = await doorward(`person end ${ANN} --remove-member`);
    assert.equal(ended.code, 0, ended.err);
    assert.match(
      ended.out,
      /^sessions ended: 2\nconsole sessions ended: 1\ncertificates revoked: 1\n {2}laptop \(cer_/,
    );
    assert.match(ended.out, /API keys deleted: 1\n {2}anns \(key_\w+\)\nmembership: removed\n$/);
    assert.match(ended.err, /the person can log in again where a rule lets them in/);
    assert.equal((await person(control)).member, null);
    const last = await doorward('person end alice@example.com --json');
    assert.equal((JSON.parse(last.err) as { code: string }).code, 'last_admin');
  });
});

async function person({ call }: Rig): Promise<PersonObject> {
  const { status, document } = await call({ path: `/v1/people/person?email=${ANN}` });
  assert.equal(status, 200, JSON.stringify(document));
  return document as unknown as PersonObject;
}

function sessionOf({ alice }: Rig, id: ShareId, at: number) {
  return { share: { id, accountId: alice.id }, at, email: ANN, browser: newId('ses') };
}

/** One of each thing for Ann, and two sessions; answers the share that these are at. */
async function giveAll(control: Rig): Promise<ShareId> {
  const { call, store, alice } = control;
  const made = async (path: string, json: object) => {
    const { status, document } = await call({ path, json });
    assert.equal(status, 201, JSON.stringify(document));
    return document;
  };
  const share = await made('/v1/shares', {
    name: 'wiki',
    target: 'http://127.0.0.1:3000',
    oauthProvider: TEST_PROVIDER.name,
  });
  const id = share['id'] as ShareId;
  for (const ago of [2, 1]) await addSession(store, sessionOf(control, id, Date.now() - ago));
  const token = { commonName: 'ann', emailAddress: ANN };
  const spent = await made('/v1/certificate-request-tokens', { ...token, name: 'laptop' });
  await made('/v1/certificate-request-tokens', { ...token, name: 'tablet' });
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  await made('/v1/client-certificates/redeem', { token: spent['token'], csr });
  await made('/v1/members', { email: ANN });
  const now = Date.now();
  const login = { within: alice.id, createdAt: now, expiresAt: now + HOUR_MS };
  await store.consoleSessions.begin(loginOf(ANN, login));
  const member = await store.members.find(alice.id, ANN);
  await store.apiKeys.create(
    {
      id: newId('key'),
      accountId: alice.id,
      name: 'anns',
      hash: new Secret(newId('key')).reveal(),
      createdAt: now,
      role: 'member',
      scope: 'full',
      expiresAt: null,
      memberId: member?.id ?? null,
      createdBy: null,
    },
    null,
  );
  return id;
}
