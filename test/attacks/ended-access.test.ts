// THREATS "Session and cookie": a login that is in progress while an admin ends all access of its person
// begins nothing afterwards, whatever address it comes back with, and also where the member is gone by then.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId } from '../../src/domain/id.ts';
import type { ShareRow } from '../../src/store/shares/share.ts';
import type { Store } from '../../src/store/store.ts';
import { addShare, startOf } from '../../src/store/suite/bench.test-support.ts';
import { addCa } from '../../src/store/suite/certificates.test-support.ts';
import { addMember, loginOf } from '../../src/store/suite/people.test-support.ts';
import { onEngines } from '../support/on-engines.ts';

const INVITED = 'ann@corp.com';
const RENAMED = 'ann.new@corp.com';
/** How long a login was in progress. */
const LOGIN_MS = 60_000;

onEngines('ended access', ({ openStore }) => {
  for (const removesMember of [false, true]) {
    const how = removesMember ? 'with the membership' : 'and the membership stays';

    test(`a login that set out before begins nothing under another address, ${how}`, async () => {
      await using store = await openStore();
      const { accountId, share } = await memberIn(store);
      await end(store, accountId, removesMember);
      await assert.rejects(store.sessions.begin(setOut(share, 'late')), { code: 'access_ended' });
      // Another person whose provider says the address.
      await store.sessions.begin(setOut(share, 'other', 'somebody-else'));
    });

    test(`of those that come at that moment, none is left, ${how}`, async () => {
      await using store = await openStore();
      for (let round = 0; round < 6; round++) {
        const { accountId, share } = await memberIn(store);
        const logins = [0, 1, 2, 3].map(
          (tab) => () => store.sessions.begin(setOut(share, `${round} ${tab}`)),
        );
        const ending = () => end(store, accountId, removesMember);
        const all = [...logins.slice(0, round), ending, ...logins.slice(round)];
        const outcomes = await Promise.allSettled(all.map((each) => each()));
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'access_ended');
        assert.equal(await store.sessions.countActive(accountId), 0, `round ${round}`);
      }
    });
  }

  test('nor does a login of before make a member of who is invited anew', async () => {
    await using store = await openStore();
    const { accountId } = await memberIn(store);
    await end(store, accountId, true);
    await addMember(store, { accountId, email: RENAMED });
    const late = { within: accountId, ageMs: LOGIN_MS };
    const login = loginOf(RENAMED, late, { subject: INVITED });
    await assert.rejects(store.consoleSessions.begin(login), { code: 'access_ended' });
  });
});

/** Ann, who is logged in by her provider's login of that name. */
async function memberIn(store: Store): Promise<{ readonly accountId: AccountId; readonly share: ShareRow }> {
  const { accountId } = await addCa(store);
  const share = await addShare(store, { accountId });
  await addMember(store, { accountId, email: INVITED });
  const entry = await store.consoleSessions.begin(
    loginOf(INVITED, { hash: newId('ses'), within: accountId }),
  );
  assert.equal(entry.kind, 'member');
  return { accountId, share };
}

function end(store: Store, accountId: AccountId, removesMember: boolean): Promise<unknown> {
  const ending = { at: Date.now(), by: 'operator', reason: 'unspecified', removesMember } as const;
  return store.persons.endAccess({ accountId, email: INVITED, ...ending });
}

/** A login that set out before, of whom the provider says another address by now. */
function setOut(share: ShareRow, browser: string, subject = INVITED): ReturnType<typeof startOf> {
  const at = Date.now();
  return { ...startOf({ share, at, browser, email: RENAMED, subject }), loopUntil: at - LOGIN_MS };
}
