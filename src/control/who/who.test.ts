// Who could get in, and what somebody could open, by the API on both engines: of the account's own people,
// shares and certificates alone, page by page, with the answers of the share's tester.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { askForAccess } from '../../../test/support/access-requests.ts';
import { startControlOn, TEST_PROVIDER, type TestControl } from '../../../test/support/control.ts';
import { onEngines } from '../../../test/support/on-engines.ts';
import { opensslCsr, OPENSSL_ALGORITHMS } from '../../../test/support/openssl.ts';
import { auditEvent } from '../../domain/audit-event.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';
import type { Store } from '../../store/store.ts';
import { addSession } from '../../store/suite/bench.test-support.ts';
import { Secret } from '../../domain/secret.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import type { KnownPersonObject, PersonSharesPage, WhoPage } from '../../wire/who.ts';

const { name: PROVIDER, generation } = TEST_PROVIDER;

type Rig = TestControl<Store & AsyncDisposable>;

onEngines('who gets in', (engine) => {
  async function start(t: TestContext) {
    const control = await startControlOn(await engine.openStore());
    t.after(() => control[Symbol.asyncDispose]());
    const share = async (name: string, settings: object, as = control.alice): Promise<ShareId> => {
      const json = { name, target: 'http://127.0.0.1:3000', ...settings };
      const made = await control.call({ path: '/v1/shares', json, as });
      assert.equal(made.status, 201, JSON.stringify(made.document));
      return made.document['id'] as ShareId;
    };
    return { control, share };
  }

  type Login = { readonly email: string; readonly facts?: SessionFacts; readonly generation?: string };

  function logIn(
    { store, alice }: Pick<Rig, 'store' | 'alice'>,
    shareId: ShareId,
    { email, ...more }: Login,
    accountId: AccountId = alice.id,
  ) {
    const at = Date.now();
    const browser = `browser of ${email} ${Math.random()}`;
    const of = { share: { id: shareId, accountId }, at, provider: PROVIDER, generation, browser };
    return addSession(store, { ...of, email, subject: email, ...more });
  }

  test('who lists each person whom the account knows once, with what the tester says, and nobody of another account (THREATS "Tenancy")', async (t) => {
    const { control, share } = await start(t);
    const wiki = await share('wiki', { oauthProvider: PROVIDER, allowGroups: ['eng-*'] });
    const other = await share('other', { oauthProvider: PROVIDER });
    await logIn(control, wiki, { email: 'ann@a.test', facts: factsOf(['eng-web']) });
    await logIn(control, wiki, { email: 'Bob@a.test', facts: factsOf(['ops']) });
    for (let again = 0; again < 3; again++)
      await logIn(control, other, { email: 'bob@a.test', facts: factsOf(['sales']) });
    await logIn(control, wiki, { email: 'cat@a.test' });
    await logIn(control, wiki, {
      email: 'former@a.test',
      generation: 'another source',
      facts: factsOf(['eng-x']),
    });
    const foreign = await share('foreign', { oauthProvider: PROVIDER }, control.mallory);
    await logIn(control, foreign, { email: 'foreign@m.test' }, control.mallory.id);
    const of = { accountId: control.alice.id, provider: TEST_PROVIDER };
    for (const email of ['dan@a.test', 'ann@a.test'])
      await askForAccess(control.store, { ...of, share: 'wiki', email });
    const tried = { kind: 'login.refused', at: Date.now(), accountId: control.alice.id } as const;
    await control.store.audit.append([
      auditEvent({ ...tried, provider: PROVIDER, email: 'eve@a.test' }),
      auditEvent({ ...tried, provider: PROVIDER, email: 'ann@a.test' }),
      auditEvent({ ...tried, provider: PROVIDER, email: 'dan@a.test' }),
      auditEvent({ ...tried, provider: 'gone', email: 'eve@a.test' }),
      auditEvent({ ...tried, accountId: control.mallory.id, provider: PROVIDER, email: 'foreign@m.test' }),
    ]);
    for (const limit of [1, 2, 50])
      assert.deepEqual(
        (await everybody(control, 'wiki', limit)).map(({ email, knownBy, outcome, rule }) =>
          [email?.toLowerCase(), knownBy, outcome, rule].join(' '),
        ),
        [
          'ann@a.test session allowed login',
          'bob@a.test session refused ',
          'cat@a.test session depends login',
          'dan@a.test access_request depends login',
          'eve@a.test audit depends login',
        ],
        String(limit),
      );
    const [ann, , cat] = await everybody(control, 'wiki', 50);
    assert.equal(cat?.detail, 'it depends on groups eng-* (login, allow)');
    assert.deepEqual([ann?.provider, ann?.certificate], [PROVIDER, null]);
    const { document } = await control.call({ path: '/v1/shares/wiki/who' });
    assert.deepEqual((document as unknown as WhoPage).rules, [
      { rule: 'login', effect: 'allow', text: 'group eng-*, logged in with Test Login' },
    ]);
    const config = {
      clientId: 'c',
      clientSecret: 's',
      issuerUrl: 'https://127.0.0.1/',
      scopes: ['openid', 'email'],
    };
    const partner = {
      name: 'partner',
      type: 'OIDC',
      config: { ...config, displayName: 'Partner Login', emailPatterns: ['*@p.test'] },
    };
    assert.equal((await control.call({ path: '/v1/auth-providers', json: partner })).status, 201);
    await share('partners', { oauthProvider: 'partner' });
    const ofPartners = await control.call({ path: '/v1/shares/partners/who' });
    const [rule] = (ofPartners.document as unknown as WhoPage).rules;
    assert.equal(rule?.text, 'everybody logged in with Partner Login; Partner Login admits *@p.test');
    const denied = await control.call({ path: '/v1/shares/wiki/who', as: control.mallory });
    assert.equal(denied.document['code'], 'share_unknown');
    for (const cursor of ['x', 'WyJhbGwiLG51bGxd', 'WyJzZXNzaW9ucyIsMV0', 'bnVsbA'])
      assert.equal(
        (await control.call({ path: `/v1/shares/wiki/who?cursor=${cursor}` })).status,
        422,
        cursor,
      );
  });

  test('who lists living certificates where a rule asks for one, to admins alone; agents’ open nothing', async (t) => {
    const { control, share } = await start(t);
    await share('ci', {
      clientCertificate: { required: true, subject: 'build-*' },
      target: 'http://127.0.0.1:1',
    });
    await share('plain', { oauthProvider: PROVIDER });
    const id = await certify(control, 'build-1');
    await certify(control, 'ann');
    await certify(control, 'build-agent', { apiRole: 'tunnel' });
    const revoked = await certify(control, 'build-2');
    await control.call({ path: `/v1/client-certificates/${revoked}/revoke`, json: {} });
    const found = (await everybody(control, 'ci')).map(({ certificate, outcome }) => [
      certificate?.commonName,
      outcome,
    ]);
    assert.deepEqual(found.toSorted(), [
      ['ann', 'refused'],
      ['build-1', 'allowed'],
    ]);
    assert.deepEqual(await everybody(control, 'plain'), []);
    const key = await control.call({ path: '/v1/api-keys', json: { name: 'm', role: 'member' } });
    const member = { ...control.alice, apiKey: new Secret(String(key.document['key'])) };
    assert.deepEqual(await everybody(control, 'ci', 2, member), []);
    const path = `/v1/people/shares?certificate=${id}`;
    const { document } = await control.call({ path });
    assert.deepEqual(outcomes(document), ['ci allowed', 'plain depends']);
    assert.equal((await control.call({ path, as: member })).document['code'], 'not_allowed');
    for (const named of [revoked, 'cer_none'])
      assert.equal(
        (await control.call({ path: `/v1/people/shares?certificate=${named}` })).document['code'],
        'certificate_unknown',
      );
    const foreign = await control.call({ path, as: control.mallory });
    assert.equal(foreign.document['code'], 'certificate_unknown');
  });

  test('a page of shares with as many patterns as they may have ends early, and no share is left out', async (t) => {
    const { control, share } = await start(t);
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      const emails = (rule: number) =>
        Array.from({ length: 28 }, (_, each) => `*a${rule}x${each}*@${name}.test`);
      const rules = Array.from({ length: 100 }, (_, rule) => ({
        allow: { providers: [PROVIDER], emails: emails(rule) },
      }));
      await share(name, { rules });
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { document } = await control.call({ path: `/v1/people/shares?email=ann@z.test${query}` });
      const page = document as unknown as PersonSharesPage;
      seen.push(...outcomes(page));
      cursor = page.nextCursor;
    }
    assert.deepEqual(
      seen,
      names.map((name) => `${name} refused`),
    );
  });

  test('people/shares answers for every share of the account, page by page, with what their provider said last (THREATS "Tenancy")', async (t) => {
    const { control, share } = await start(t);
    const first = await share('a-groups', { oauthProvider: PROVIDER, allowGroups: ['eng-*'] });
    await share('b-address', { oauthProvider: PROVIDER, allowAddresses: ['10.0.0.0/8'] });
    await share('c-others', { oauthProvider: PROVIDER, oauthEmailAddressPatterns: ['*@other.test'] });
    await share('d-open', { open: true });
    await share('foreign', { open: true }, control.mallory);
    await logIn(control, first, { email: 'ann@a.test', facts: factsOf(['eng-web']) });
    const items: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { document } = await control.call({ path: `/v1/people/shares?email=Ann@a.test&limit=3${query}` });
      const page = document as unknown as PersonSharesPage;
      items.push(...outcomes(page));
      cursor = page.nextCursor;
      assert.deepEqual(page.logins[0]?.groups, ['eng-web']);
    } while (cursor !== null);
    assert.deepEqual(items, ['a-groups allowed', 'b-address depends', 'c-others refused', 'd-open allowed']);
    const elsewhere = await control.call({ path: '/v1/people/shares?email=ann@a.test&provider=none' });
    assert.deepEqual(outcomes(elsewhere.document), [
      'a-groups refused',
      'b-address refused',
      'c-others refused',
      'd-open allowed',
    ]);
    const mallory = await control.call({ path: '/v1/people/shares?email=ann@a.test', as: control.mallory });
    assert.deepEqual([outcomes(mallory.document), mallory.document['logins']], [['foreign allowed'], []]);
    assert.equal((await control.call({ path: '/v1/people/shares' })).status, 422);
  });
});

function outcomes(page: unknown): readonly string[] {
  return (page as PersonSharesPage).items.map(({ share, outcome }) => `${share} ${outcome}`);
}

function factsOf(groups: readonly string[]): SessionFacts {
  return { groups, claims: {}, acr: null, amr: [], authTime: null, name: null };
}

/** Answers the id of the certificate. */
async function certify({ call }: Pick<Rig, 'call'>, commonName: string, more: object = {}): Promise<string> {
  const json = { name: commonName, commonName, ...more };
  const made = await call({ path: '/v1/certificate-request-tokens', json });
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const redeemed = await call({
    path: '/v1/client-certificates/redeem',
    json: { token: made.document['token'], csr },
    as: null,
  });
  assert.equal(redeemed.status, 201, JSON.stringify(redeemed.document));
  const shown = await call({ path: `/v1/client-certificates/${String(redeemed.document['serial'])}` });
  return String(shown.document['id']);
}

async function everybody(control: Rig, share: string, limit = 2, as = control.alice) {
  const people: KnownPersonObject[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null; pages++) {
    assert.ok(pages < 50, 'it ends');
    const query = `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, document } = await control.call({ path: `/v1/shares/${share}/who?${query}`, as });
    assert.equal(status, 200, JSON.stringify(document));
    const page = document as unknown as WhoPage;
    assert.ok(page.items.length <= limit);
    people.push(...page.items);
    cursor = page.nextCursor;
  }
  return people;
}
