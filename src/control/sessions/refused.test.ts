// Sessions that the rules of their share no longer let in: listed, ended, and nobody else's, on both engines.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startControlOn, TEST_PROVIDER } from '../../../test/support/control.ts';
import { onEngines } from '../../../test/support/on-engines.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';
import { addSession } from '../../store/suite/bench.test-support.ts';
import type { SessionPage } from '../../wire/session.ts';

const { name: PROVIDER, generation } = TEST_PROVIDER;

onEngines('sessions that rules refuse', (engine) => {
  async function start(t: TestContext) {
    const control = await startControlOn(await engine.openStore());
    t.after(() => control[Symbol.asyncDispose]());
    const share = async (name: string, settings: object): Promise<ShareId> => {
      const json = { name, target: 'http://127.0.0.1:3000', oauthProvider: PROVIDER, ...settings };
      const made = await control.call({ path: '/v1/shares', json });
      assert.equal(made.status, 201, JSON.stringify(made.document));
      return made.document['id'] as ShareId;
    };
    const modify = async (name: string, json: object) => {
      const { status, document } = await control.call({ method: 'PATCH', path: `/v1/shares/${name}`, json });
      assert.equal(status, 200, JSON.stringify(document));
    };
    let logins = 0;
    const logIn = (
      shareId: ShareId,
      email: string,
      more: { groups?: string[]; generation?: string } = {},
    ) => {
      const facts = more.groups && { ...NO_FACTS, groups: more.groups };
      return addSession(control.store, {
        share: { id: shareId, accountId: control.alice.id as AccountId },
        // The one before was at another moment.
        at: Date.now() - MINUTE_MS + logins++,
        provider: PROVIDER,
        generation: more.generation ?? generation,
        browser: `browser of ${email} ${Math.random()}`,
        email,
        subject: email,
        ...(facts === undefined ? {} : { facts }),
      });
    };
    const refused = async (query = ''): Promise<SessionPage> => {
      const { status, document } = await control.call({
        path: `/v1/sessions?share=wiki&admission=refused${query}`,
      });
      assert.equal(status, 200, JSON.stringify(document));
      return document as unknown as SessionPage;
    };
    return { control, share, modify, logIn, refused };
  }

  test('GET /v1/sessions?admission=refused lists whom a changed rule leaves out, and why, page by page', async (t) => {
    const { share, modify, logIn, refused } = await start(t);
    const wiki = await share('wiki', {});
    for (const email of ['ann@a.test', 'bob@a.test', 'cat@b.test', 'dan@b.test']) await logIn(wiki, email);
    await logIn(wiki, 'eve@b.test', { generation: 'a definition of before' });
    assert.deepEqual((await refused()).items, []);
    await modify('wiki', { oauthEmailAddressPatterns: ['*@a.test'] });
    const { items } = await refused();
    assert.deepEqual(
      items.map(({ email }) => email),
      ['dan@b.test', 'cat@b.test'],
    );
    for (const { refusal } of items) assert.match(refusal ?? '', /address|pattern|rule/);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: SessionPage = await refused(`&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ email }) => email));
      cursor = page.nextCursor;
    }
    assert.deepEqual(seen, ['dan@b.test', 'cat@b.test']);
    // What a login may bring is not known before it: nobody is named for that.
    await modify('wiki', { oauthEmailAddressPatterns: [], allowGroups: ['eng-*'] });
    await logIn(wiki, 'fay@a.test', { groups: ['ops'] });
    await logIn(wiki, 'gus@a.test', { groups: ['eng-web'] });
    assert.deepEqual(
      (await refused()).items.map(({ email }) => email),
      ['fay@a.test'],
    );
    // A share that is off lets nobody in, which is not its rules' doing.
    await modify('wiki', { enabled: false });
    assert.deepEqual(
      (await refused()).items.map(({ email }) => email),
      ['fay@a.test'],
    );
  });

  test('DELETE /v1/sessions?admission=refused ends those alone, each with its event', async (t) => {
    const { control, share, modify, logIn, refused } = await start(t);
    const [wiki, other] = [await share('wiki', {}), await share('other', {})];
    for (let each = 0; each < 3; each++) await logIn(wiki, `out-${each}@b.test`);
    await logIn(wiki, 'ann@a.test');
    await logIn(other, 'out@b.test');
    const path = '/v1/sessions?share=wiki&admission=refused';
    const end = async () => (await control.call({ method: 'DELETE', path })).document['ended'];
    assert.equal(await end(), 0);
    await modify('wiki', { oauthEmailAddressPatterns: ['*@a.test'] });
    assert.equal(await end(), 3);
    assert.deepEqual((await refused()).items, []);
    const active = await control.call({ path: '/v1/sessions?state=active' });
    const left = (active.document as unknown as SessionPage).items.map(({ email }) => email);
    assert.deepEqual(left.toSorted(), ['ann@a.test', 'out@b.test']);
    const events = await control.call({ path: '/v1/audit-events?kind=session.ended' });
    const told = (events.document['items'] as { email: string; reason: string }[]).map(({ email }) => email);
    assert.deepEqual(told.toSorted(), ['out-0@b.test', 'out-1@b.test', 'out-2@b.test']);
  });

  test('DELETE /v1/sessions?admission=refused judges by the rules as they are, not as they were at its start', async (t) => {
    const { control, share, modify, logIn } = await start(t);
    await logIn(await share('wiki', { oauthEmailAddressPatterns: ['*@a.test'] }), 'bob@b.test');
    const { shares } = control.store;
    const find = shares.find.bind(shares);
    t.mock.method(shares, 'find', async (...named: Parameters<typeof find>) => {
      const row = await find(...named);
      t.mock.restoreAll();
      await modify('wiki', { oauthEmailAddressPatterns: [] });
      return row;
    });
    const path = '/v1/sessions?share=wiki&admission=refused';
    assert.equal((await control.call({ method: 'DELETE', path })).document['ended'], 0);
  });

  test('calls that end refused sessions are limited for each account (THREATS "Exhaustion")', async (t) => {
    const { control, share } = await start(t);
    await share('wiki', {});
    const path = '/v1/sessions?share=wiki&admission=refused';
    const statuses: number[] = [];
    for (let each = 0; each < 13; each++)
      statuses.push((await control.call({ method: 'DELETE', path })).status);
    assert.deepEqual([statuses.indexOf(429), statuses.filter((status) => status === 200).length], [12, 12]);
  });

  test('admission=refused goes with a share of one’s own and nothing else (THREATS "Tenancy")', async (t) => {
    const { control, share } = await start(t);
    await share('wiki', {});
    for (const method of ['GET', 'DELETE'] as const) {
      const code = async (query: string, as = control.alice) =>
        (await control.call({ method, path: `/v1/sessions?${query}`, as })).document['code'];
      assert.equal(await code('admission=refused'), 'validation_failed');
      assert.equal(await code('share=wiki&email=a@b.test&admission=refused'), 'validation_failed');
      assert.equal(await code('email=a@b.test&admission=refused'), 'validation_failed');
      assert.equal(await code('share=wiki&admission=refused', control.mallory), 'share_unknown');
    }
  });
});

const MINUTE_MS = 60_000;
const NO_FACTS = { groups: null, claims: {}, acr: null, amr: [], authTime: null, name: null };
