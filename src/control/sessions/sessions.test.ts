// Sessions through the API: listed, searched, ended; never another account's. What visitors then see is
// tested with the whole service in test/e2e/end-sessions.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startControl, type TestAnswer, type TestControl } from '../../../test/support/control.ts';
import type { SessionPage } from '../../wire/session.ts';
import { type SessionId, newId } from '../../domain/id.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { addSession, addShare, claimAll, type Begin, HOUR_MS } from '../../store/suite/bench.test-support.ts';

describe('sessions', () => {
  let control: TestControl;
  let shares: readonly [ShareRow, ShareRow];
  before(async () => {
    control = await startControl();
    const { id: accountId } = control.alice;
    shares = [
      await addShare(control.store, { accountId, name: 'one' }),
      await addShare(control.store, { accountId, name: 'two' }),
    ];
  });
  after(() => control[Symbol.asyncDispose]());

  let browsers = 0;
  const begin = (over: Partial<Begin>): Promise<SessionId> =>
    addSession(control.store, {
      share: shares[0],
      at: Date.now(),
      browser: `browser-${++browsers}`,
      email: `person-${browsers}@example.com`,
      ...over,
    });
  const list = async (query: string) =>
    pageOf(await control.call({ path: `/v1/sessions?${query}` })).items.map(({ id }) => id);

  test('GET /v1/sessions tells who, where from, which share and provider, since, last seen and until (issue "Sessions")', async () => {
    const at = Date.now() - 1000;
    const id = await begin({ at, email: 'Ada@Example.com', provider: 'told' });
    const page = pageOf(await control.call({ path: '/v1/sessions?email=ada@example.COM' }));
    const time = new Date(at).toISOString();
    assert.deepEqual(page, {
      items: [
        {
          id,
          email: 'Ada@Example.com',
          provider: 'told',
          shareId: shares[0].id,
          share: 'one',
          ip: '192.0.2.1',
          userAgent: 'Mozilla/5.0 (test)',
          createdAt: time,
          lastSeenAt: time,
          checkedAt: time,
          expiresAt: new Date(at + HOUR_MS).toISOString(),
          endedAt: null,
          endReason: null,
          active: true,
        },
      ],
      nextCursor: null,
      total: 1,
    });
  });

  test('GET /v1/sessions sorts as it is asked, tells how many there are, and takes no cursor of another order', async () => {
    const at = Date.now() - 60_000;
    const [bob, ann, cyd] = [
      await begin({ at, provider: 'sorted', email: 'bob@sort.example' }),
      await begin({ at: at + 1, provider: 'sorted', email: 'Ann@sort.example' }),
      await begin({ at: at + 2, provider: 'sorted', email: 'cyd@sort.example' }),
    ];
    await control.store.sessions.seen([{ id: bob, at: at + 9 }]);
    const orders = {
      created: [bob, ann, cyd],
      '-created': [cyd, ann, bob],
      last_seen: [ann, cyd, bob],
      '-last_seen': [bob, cyd, ann],
      email: [ann, bob, cyd],
      '-email': [cyd, bob, ann],
    };
    const path = '/v1/sessions?q=sort.example';
    for (const [sort, ids] of Object.entries(orders)) {
      const first = pageOf(await control.call({ path: `${path}&sort=${sort}&limit=2` }));
      const cursor = String(first.nextCursor);
      const rest = pageOf(await control.call({ path: `${path}&sort=${sort}&cursor=${cursor}` }));
      assert.deepEqual(
        [...first.items, ...rest.items].map(({ id }) => id),
        ids,
        sort,
      );
      assert.deepEqual([first.total, rest.total], [3, undefined]);
      for (const other of ['', ...Object.keys(orders).map((each) => `&sort=${each}`)]) {
        const isSame = other === `&sort=${sort}` || (other === '' && sort === '-created');
        const { status } = await control.call({ path: `${path}&cursor=${cursor}${other}` });
        assert.equal(status, isSame ? 200 : 422, `${sort} ${other}`);
      }
    }
    for (const value of [
      '[1]',
      '{}',
      'null',
      '["-created"]',
      '["-created",1.5,"x"]',
      '["-created",null,"x"]',
      '[',
      '["-created",1,2,3,4]',
      '["-created",1]',
      '["-created","x",1]',
    ]) {
      const cursor = Buffer.from(value).toString('base64url');
      assert.equal((await control.call({ path: `${path}&cursor=${cursor}` })).status, 422, value);
    }
    for (const sort of ['', 'ip', '--created', 'created,email'])
      assert.equal((await control.call({ path: `${path}&sort=${sort}` })).status, 422, sort);
  });

  test('GET /v1/sessions searches by person, share, provider, address and state, and pages', async () => {
    const first = await begin({ provider: 'searched', email: 'eve@example.com' });
    const second = await begin({ provider: 'searched', share: shares[1] });
    const over = await begin({ provider: 'searched', share: shares[1], at: Date.now() - 2 * HOUR_MS });
    const ids = [second, first].toSorted();
    assert.deepEqual((await list('provider=searched&state=active')).toSorted(), ids);
    assert.deepEqual(await list('provider=searched&state=ended'), [over]);
    assert.deepEqual((await list('provider=searched&share=two')).toSorted(), [second, over].toSorted());
    assert.deepEqual((await list(`provider=searched&share=${shares[0].id}`)).toSorted(), [first]);
    assert.deepEqual(await list('provider=searched&email=eve@example.com'), [first]);
    assert.deepEqual(await list('provider=searched&q=EVE@'), [first]);
    assert.equal((await list('provider=searched&ip=192.0.2.1')).length, 3);
    assert.deepEqual(await list('provider=searched&ip=192.0.2.9'), []);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `provider=searched&limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page = pageOf(await control.call({ path: `/v1/sessions?${query}` }));
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    assert.deepEqual(seen.toSorted(), [first, second, over].toSorted());
  });

  test('GET /v1/sessions refuses what it cannot read', async () => {
    for (const query of [
      'state=alive',
      'limit=0',
      'cursor=AAAA',
      'cursor=MTIz',
      'who=ada',
      'email=a&email=b',
    ]) {
      const answer = await control.call({ path: `/v1/sessions?${query}` });
      assert.deepEqual([answer.status, answer.document['code']], [422, 'validation_failed'], query);
    }
    const answer = await control.call({ path: '/v1/sessions?share=nothing' });
    assert.equal(answer.document['code'], 'share_unknown');
  });

  test('DELETE /v1/sessions/{id} ends one, again and again, writes down by whom, and owes its tokens', async () => {
    const id = await begin({ email: 'bob@example.com' });
    const path = `/v1/sessions/${id}`;
    assert.equal((await control.call({ path, method: 'DELETE' })).status, 204);
    assert.equal((await control.call({ path, method: 'DELETE' })).status, 204);
    const row = await control.store.sessions.find(id);
    assert.equal(row?.endReason, 'ended_by_admin');
    const events = await control.call({ path: '/v1/audit-events?kind=session.ended&email=bob@example.com' });
    const [event, ...others] = events.document['items'] as Record<string, unknown>[];
    assert.deepEqual(others, []);
    assert.deepEqual(
      [event?.['sessionId'], event?.['shareId'], event?.['provider'], event?.['reason'], event?.['ip']],
      [id, shares[0].id, 'corp', 'ended_by_admin', '127.0.0.1'],
    );
    assert.match(String(event?.['actor']), /^api-key:key_/);
    const owed = await claimAll(control.store);
    assert.deepEqual(
      owed.filter(({ row: of }) => of.id === id).map(({ tokens }) => tokens?.accessToken.reveal()),
      ['access-first'],
    );
  });

  test('DELETE /v1/sessions ends all of a person, a share, or a provider', async () => {
    const groups: readonly (readonly [query: string, over: Partial<Begin>])[] = [
      ['email=Lin@Example.com', { email: 'lin@example.com' }],
      ['share=two', { share: shares[1] }],
      ['provider=grouped', { provider: 'grouped' }],
    ];
    for (const [query, over] of groups) {
      await control.call({ path: `/v1/sessions?${query}`, method: 'DELETE' });
      const ids = [await begin(over), await begin(over)];
      const other = await begin({});
      const answer = await control.call({ path: `/v1/sessions?${query}`, method: 'DELETE' });
      assert.deepEqual([answer.status, answer.document], [200, { ended: 2 }], query);
      for (const id of ids) assert.equal((await control.store.sessions.state(id))?.ended, true);
      assert.equal((await control.store.sessions.state(other))?.ended, false);
      const again = await control.call({ path: `/v1/sessions?${query}`, method: 'DELETE' });
      assert.deepEqual(again.document, { ended: 0 });
    }
  });

  test('DELETE /v1/sessions takes exactly one of the three: nothing does not mean everything', async () => {
    const id = await begin({});
    for (const query of [
      '',
      '?',
      '?email=',
      '?share=one&provider=corp',
      '?email=a@b.c&share=one',
      '?state=active',
      '?email=a&email=b',
    ]) {
      const answer = await control.call({ path: `/v1/sessions${query}`, method: 'DELETE' });
      assert.deepEqual([answer.status, answer.document['code']], [422, 'validation_failed'], query);
    }
    assert.equal((await control.store.sessions.state(id))?.ended, false);
  });

  test('sessions of another account are neither shown nor ended (THREATS "Tenancy")', async () => {
    const id = await begin({ email: 'mine@example.com', provider: 'corp' });
    const as = control.mallory;
    const code = async (path: string, method = 'DELETE') =>
      (await control.call({ path, method, as })).document['code'];
    assert.equal(await code(`/v1/sessions/${id}`), 'session_unknown');
    assert.equal(await code(`/v1/sessions/${newId('ses')}`), 'session_unknown');
    assert.equal(await code('/v1/sessions/nothing'), 'session_unknown');
    assert.equal(await code('/v1/sessions?share=one'), 'share_unknown');
    for (const query of ['email=mine@example.com', `share=${shares[0].id}`, 'provider=corp']) {
      const path = `/v1/sessions?${query}`;
      assert.deepEqual((await control.call({ path, method: 'DELETE', as })).document, { ended: 0 });
      assert.deepEqual((await control.call({ path, as })).document['items'], []);
    }
    assert.equal((await control.store.sessions.state(id))?.ended, false);
  });
});

function pageOf(answer: TestAnswer): SessionPage {
  assert.equal(answer.status, 200, JSON.stringify(answer.document));
  return answer.document as unknown as SessionPage;
}
