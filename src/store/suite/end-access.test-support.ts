// The suite's part on the end of all access of a person: what goes, what stays, and what is begun meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type AccountId, newId } from '../../domain/id.ts';
import type { AccessEnd } from '../people/person.ts';
import type { Store } from '../store.ts';
import {
  addShare,
  addSession,
  addAccount,
  type Bench,
  benchOf,
  type OpenBench,
  START,
  startOf,
} from './bench.test-support.ts';
import { keyOf } from './api-keys.test-support.ts';
import { addCa, certificateOf, issue, tokenOf } from './certificates.test-support.ts';
import { addMember, loginOf, memberOf } from './people.test-support.ts';

export function endAccessSuite(open: OpenBench): void {
  test('persons.endAccess() ends all of one person in one account, in any case, and keeps the membership', async () => {
    await using bench = await benchOf(open);
    const ann = await personIn(bench);
    const elsewhere = await personIn(bench);
    const bob = await addSession(bench.store, {
      share: ann.share,
      at: START,
      browser: 'bob',
      email: 'bob@corp.com',
    });
    assert.deepEqual(await countsOf(bench.store, ann.accountId), FULL);
    bench.clock.time = START + 1;
    const ended = await bench.store.persons.endAccess(endOf(ann.accountId, { email: 'Ann@Corp.com' }));
    assert.deepEqual(
      [ended.sessions.map(({ id }) => id), ended.consoleSessions, ended.serviceTokens],
      [[ann.session], 1, 0],
    );
    assert.deepEqual(
      [ended.certificates, ended.requestTokens, ended.apiKeys].map((things) => things.map(({ id }) => id)),
      [[ann.certificate], [ann.token], [ann.key]],
    );
    assert.deepEqual(
      ended.members.map(({ email }) => email),
      ['ann@corp.com'],
    );
    assert.deepEqual(await countsOf(bench.store, ann.accountId), { ...FULL, ...NOTHING });
    assert.equal((await bench.store.sessions.find(ann.session))?.endReason, 'ended_by_admin');
    assert.equal(await bench.store.apiKeys.findByHash(ann.keyHash), null);
    assert.equal(await bench.store.consoleSessions.find(ann.consoleHash), null);
    assert.equal((await bench.store.sessions.find(bob))?.endedAt, null);
    assert.deepEqual(await countsOf(bench.store, elsewhere.accountId), FULL);
    const again = await bench.store.persons.endAccess(endOf(ann.accountId));
    assert.deepEqual([again.sessions, again.certificates, again.apiKeys], [[], [], []]);
  });

  test('persons.endAccess() takes the membership along where that is meant, and is nothing at all for the last admin', async () => {
    await using bench = await benchOf(open);
    const ann = await personIn(bench);
    await bench.store.members.changeRole(ann.accountId, ann.member, 'admin');
    for (const key of (await bench.store.apiKeys.list(ann.accountId, { after: null, limit: 9 })).rows)
      if (key.id !== ann.key) await bench.store.apiKeys.remove(ann.accountId, key.id);
    const admin = await memberOf(bench.store, ann.accountId, 'admin@example.com');
    await bench.store.members.remove(ann.accountId, admin.id);
    const last = bench.store.persons.endAccess(endOf(ann.accountId, { removesMember: true }));
    await assert.rejects(last, { code: 'last_admin' });
    assert.deepEqual(await countsOf(bench.store, ann.accountId), FULL);
    await bench.store.apiKeys.create(keyOf(ann.accountId, { name: 'spare', hash: 'spare' }), null);
    const other = await addMember(bench.store, {
      accountId: ann.accountId,
      email: 'eve@corp.com',
      role: 'admin',
    });
    await bench.store.consoleSessions.begin(loginOf('eve@corp.com', { within: ann.accountId }));
    const ended = await bench.store.persons.endAccess(endOf(ann.accountId, { removesMember: true }));
    assert.deepEqual([ended.members.map(({ id }) => id), ended.apiKeys.length], [[ann.member], 1]);
    assert.equal(await bench.store.members.find(ann.accountId, ann.member), null);
    assert.equal((await bench.store.members.find(ann.accountId, other.id))?.email, 'eve@corp.com');
  });

  test('persons.endAccess() ends what has a role by the member alone, whomever it names; what they made for others stays', async () => {
    await using bench = await benchOf(open);
    const ann = await personIn(bench);
    const { accountId, caId } = ann;
    const { certificates, certificateRequestTokens: tokens, members, persons } = bench.store;
    await members.changeRole(accountId, ann.member, 'admin');
    // The tokens below are of the first key, which is an admin's then.
    await bench.store.apiKeys.remove(accountId, ann.key);
    const allowedBy = `member:${ann.member}` as const;
    const nobody = { commonName: 'deploy', emailAddress: null, organization: null, organizationalUnit: null };
    const role = { apiRole: 'admin', subject: nobody } as const;
    const withRole = await issue(bench.store, certificateOf(accountId, caId, { ...role, allowedBy }));
    const renewed = certificateOf(accountId, caId, { ...role, allowedBy, renewedFrom: withRole.id });
    await certificates.renew(renewed, START);
    const others = await issue(bench.store, certificateOf(accountId, caId, { subject: nobody, allowedBy }));
    const byOther = certificateOf(accountId, caId, { ...role, allowedBy: 'member:mem_other' });
    const another = await issue(bench.store, byOther);
    const unused = { ...(await tokenOf(bench.store, accountId)), ...role, createdBy: allowedBy };
    await tokens.create(unused, newId('crq'));
    const forOthers = { ...(await tokenOf(bench.store, accountId)), subject: nobody, createdBy: allowedBy };
    await tokens.create(forOthers, newId('crq'));
    const counted = await persons.holdings({ accountId, email: 'ann@corp.com' }, START);
    assert.deepEqual([counted.certificates, counted.requestTokens.length], [3, 2]);
    const ended = await persons.endAccess(endOf(accountId));
    assert.deepEqual(
      [ended.certificates, ended.requestTokens].map((things) => things.map(({ id }) => id).toSorted()),
      [[ann.certificate, withRole.id, renewed.id].toSorted(), [ann.token, unused.id].toSorted()],
    );
    for (const { id } of [others, another])
      assert.equal((await certificates.find(accountId, id))?.revokedAt, null);
    assert.equal((await tokens.find(accountId, forOthers.id))?.id, forOthers.id);
  });

  test('persons.endAccess() ends the member who is logged in under the address by now, at the console or at a share', async () => {
    await using bench = await benchOf(open);
    const ann = await personIn(bench);
    const { accountId, share } = ann;
    const { apiKeys, consoleSessions, persons } = bench.store;
    const married = 'ann.new@corp.com';
    const hash = newId('ses');
    const login = loginOf(married, { hash, within: accountId }, { subject: 'ann@corp.com' });
    assert.equal((await consoleSessions.begin(login)).kind, 'member');
    const byNow = await persons.holdings({ accountId, email: married }, START);
    assert.deepEqual([byNow.member?.id, byNow.consoleSessions, byNow.apiKeys.length], [ann.member, 2, 1]);
    const ended = await persons.endAccess(endOf(accountId, { email: married }));
    assert.deepEqual(
      [ended.members.map(({ id }) => id), ended.apiKeys.map(({ id }) => id), ended.consoleSessions],
      [[ann.member], [ann.key], 2],
    );
    for (const each of [hash, ann.consoleHash]) assert.equal(await consoleSessions.find(each), null);
    assert.equal(await apiKeys.findByHash(ann.keyHash), null);
    // A share knows the address, too.
    const key = keyOf(accountId, { name: 'next', hash: newId('key'), memberId: ann.member, role: 'member' });
    await apiKeys.create(key, null);
    const subject = 'ann@corp.com';
    bench.clock.time = START + 10_000;
    await addSession(bench.store, { share, at: START + 10_000, browser: 'new', email: married, subject });
    const again = await persons.endAccess(endOf(accountId, { email: married, removesMember: true }));
    assert.deepEqual([again.apiKeys.map(({ id }) => id), again.sessions.length], [[key.id], 1]);
    assert.equal(await bench.store.members.find(accountId, ann.member), null);
  });

  test('persons.endAccess() ends what a member’s login opened at shares under another address, in this account alone', async () => {
    await using bench = await benchOf(open);
    const [ann, elsewhere] = [await personIn(bench), await personIn(bench)];
    const begin = { at: START, email: 'ann.new@corp.com', subject: 'ann@corp.com' };
    const own = await addSession(bench.store, { ...begin, share: ann.share, browser: 'own' });
    const other = { ...begin, share: ann.share, browser: 'other', subject: 'bob', email: 'bob@corp.com' };
    const kept = [
      await addSession(bench.store, { ...begin, share: elsewhere.share, browser: 'elsewhere' }),
      await addSession(bench.store, other),
      await addSession(bench.store, { ...begin, share: ann.share, browser: 'gen', generation: 'gen2' }),
    ];
    const held = { accountId: ann.accountId, email: 'ann@corp.com' };
    assert.equal((await bench.store.persons.holdings(held, START)).sessions, 2);
    const ended = await bench.store.persons.endAccess(endOf(ann.accountId));
    assert.deepEqual(ended.sessions.map(({ id }) => id).toSorted(), [ann.session, own].toSorted());
    for (const id of kept) assert.equal((await bench.store.sessions.find(id))?.endedAt, null);
  });

  test('persons.holdings() counts of each member whom the address names what endAccess() ends', async () => {
    await using bench = await benchOf(open);
    const ann = await personIn(bench);
    const { accountId, caId } = ann;
    const { apiKeys, consoleSessions, persons } = bench.store;
    const bob = await addMember(bench.store, { accountId, email: 'bob@corp.com' });
    await consoleSessions.begin(loginOf('bob@corp.com', { hash: newId('ses'), within: accountId }));
    // Whose provider says her address by now.
    const renamed = loginOf(
      'ann@corp.com',
      { hash: newId('ses'), within: accountId },
      { subject: 'bob@corp.com' },
    );
    await consoleSessions.begin(renamed);
    // The tokens below are of the first key, which is an admin's then.
    await apiKeys.remove(accountId, ann.key);
    const subject = {
      commonName: 'deploy',
      emailAddress: null,
      organization: null,
      organizationalUnit: null,
    };
    const role = { apiRole: 'member', subject, allowedBy: `member:${bob.id}` } as const;
    await issue(bench.store, certificateOf(accountId, caId, role));
    await apiKeys.create(keyOf(accountId, { name: 'bobs', hash: newId('key'), memberId: bob.id }), null);
    await addSession(bench.store, {
      share: ann.share,
      at: START,
      browser: 'bob',
      email: 'bob@corp.com',
      subject: 'bob@corp.com',
    });
    const held = await persons.holdings({ accountId, email: 'ann@corp.com' }, START);
    assert.equal(held.member?.id, ann.member);
    assert.deepEqual(
      [held.sessions, held.consoleSessions, held.certificates, held.apiKeys.length],
      [2, 3, 2, 1],
    );
    const ended = await persons.endAccess(endOf(accountId));
    assert.deepEqual(
      [ended.sessions.length, ended.consoleSessions, ended.certificates.length, ended.apiKeys.length],
      [2, 3, 2, 1],
    );
  });

  test('consoleSessions.begin() refuses a login that had set out under the address whose access was ended, of a member of another', async () => {
    await using bench = await benchOf(open);
    const { accountId } = await personIn(bench);
    const married = 'ann.new@corp.com';
    bench.clock.time = START + 10_000;
    await bench.store.persons.endAccess(endOf(accountId, { email: married }));
    const late = loginOf(married, { within: accountId, ageMs: 1_000 }, { subject: 'ann@corp.com' });
    await assert.rejects(bench.store.consoleSessions.begin(late), { code: 'access_ended' });
  });

  test('sessions.begin() refuses a login that had set out when the access ended, at shares and at the console', async () => {
    await using bench = await benchOf(open);
    const { accountId, share } = await personIn(bench);
    bench.clock.time = START + 10_000;
    await bench.store.persons.endAccess(endOf(accountId, { at: START + 10_000 }));
    bench.clock.time = START + 20_000;
    const start = startOf({ share, at: START + 20_000, browser: 'late' });
    const late = { ...start, loopUntil: START + 5_000 };
    await assert.rejects(bench.store.sessions.begin(late), { code: 'access_ended' });
    await assert.rejects(
      bench.store.consoleSessions.begin(loginOf('ann@corp.com', { within: accountId, ageMs: 15_000 })),
      { code: 'access_ended' },
    );
    const others = { ...startOf({ share, at: START + 20_000, email: 'bob@corp.com' }), loopUntil: START };
    await bench.store.sessions.begin(others);
    // Whom a rule still lets in may log in anew, and whoever ended it keeps them out by the rule.
    await bench.store.sessions.begin({ ...start, loopUntil: START + 15_000 });
    const login = loginOf('ann@corp.com', { within: accountId, ageMs: 5_000 });
    assert.equal((await bench.store.consoleSessions.begin(login)).kind, 'member');
    // However short everything else is kept, it is known while such a login can be in progress.
    await bench.store.sweep(START + 30_000);
    await assert.rejects(bench.store.sessions.begin(late), { code: 'access_ended' });
    bench.clock.time = START + 3 * 86_400_000;
    await bench.store.sweep(START + 30_000);
    await bench.store.sessions.begin({
      ...startOf({ share, at: bench.clock.time, browser: 'swept' }),
      loopUntil: START + 5_000,
    });
  });

  test('consoleSessions.membersLike() says where the access ended since the login, by address or as that member, and nowhere else', async () => {
    await using bench = await benchOf(open);
    const { accountId } = await personIn(bench);
    const { consoleSessions, persons } = bench.store;
    const { person } = loginOf('ann@corp.com');
    const endedAt = async (who: typeof person, ageMs: number) =>
      (await consoleSessions.membersLike(who, ageMs)).map((each) => [each.accountId, each.accessEnded]);
    const other = await addAccount(bench.store, 'zz-other');
    await addMember(bench.store, { accountId: other, email: 'ann@corp.com' });
    await consoleSessions.begin(loginOf('ann@corp.com', { within: other, hash: 'other' }));
    bench.clock.time = START + 10_000;
    await persons.endAccess(endOf(accountId));
    bench.clock.time = START + 20_000;
    const ended = [
      [accountId, true],
      [other, false],
    ];
    assert.deepEqual(await endedAt(person, 15_000), ended);
    // The same login has another address by now.
    assert.deepEqual(await endedAt({ ...person, email: 'ann.new@corp.com' }, 15_000), ended);
    assert.deepEqual(await endedAt(person, 5_000), [
      [accountId, false],
      [other, false],
    ]);
  });

  test('sessions.begin() refuses a login that had set out of a member whose access was ended, under whatever address', async () => {
    await using bench = await benchOf(open);
    const { accountId, share } = await personIn(bench);
    bench.clock.time = START + 10_000;
    await bench.store.persons.endAccess(endOf(accountId, { at: START + 10_000 }));
    bench.clock.time = START + 20_000;
    const married = { share, at: START + 20_000, email: 'ann.new@corp.com' };
    const late = { ...startOf({ ...married, subject: 'ann@corp.com' }), loopUntil: START + 5_000 };
    await assert.rejects(bench.store.sessions.begin(late), { code: 'access_ended' });
    // Another person at that provider who has the address by now.
    const other = {
      ...startOf({ ...married, subject: 'other', browser: 'other' }),
      loopUntil: START + 5_000,
    };
    await bench.store.sessions.begin(other);
    await bench.store.sessions.begin({ ...late, loopUntil: START + 15_000 });
  });

  test('sessions.begin() refuses a login that waited while its access was ended, however long that took', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { accountId, share } = await personIn(bench);
    const marked = Promise.withResolvers<void>();
    const ending = bench.store.together(async () => {
      await bench.store.persons.endAccess(endOf(accountId, { at: START }));
      marked.resolve();
      await pause(ENDING_MS);
      bench.clock.time += ENDING_MS;
    });
    await marked.promise;
    const late = { ...startOf({ share, at: START, browser: 'late' }), loopUntil: START - 100 };
    const login = loginOf('ann@corp.com', { within: accountId, ageMs: 100 });
    const outcomes = await Promise.allSettled([
      other.sessions.begin(late),
      other.consoleSessions.begin(login),
    ]);
    await ending;
    const codes = outcomes.map((each) => (each.status === 'rejected' ? each.reason.code : each.value));
    assert.deepEqual(codes, ['access_ended', 'access_ended']);
  });

  test('persons.endAccess() holds against what begins at the same moment: logins, redemptions, renewals, keys', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    for (let round = 0; round < 8; round++) {
      const ann = await personIn(bench, { round });
      const { accountId, caId, share } = ann;
      const unused = await tokenOf(bench.store, accountId);
      await bench.store.certificateRequestTokens.create(unused, newId('crq'));
      const renewed = certificateOf(accountId, caId, { renewedFrom: ann.certificate, keyHash: 'next' });
      const key = keyOf(accountId, { name: 'late', hash: newId('key'), memberId: ann.member });
      const late = await tokenOf(bench.store, accountId);
      const begun = [
        ...[1, 2, 3].map((tab) => () => other.sessions.begin(setOut(share, `tab ${tab} of ${round}`))),
        () => other.sessions.begin(setOut(share, `renamed ${round}`, 'ann.new@corp.com')),
        () => other.certificateRequestTokens.redeem(unused.id, certificateOf(accountId, caId)),
        () => other.certificates.renew(renewed, START),
        () => other.apiKeys.create(key, { keyId: null, sessionHash: ann.consoleHash }),
        () => other.certificateRequestTokens.create(late, newId('crq'), { by: bySession(ann) }),
        () => other.consoleSessions.begin(loginOf('ann@corp.com', { within: accountId, ageMs: 1_000 })),
      ];
      const end = () => bench.store.persons.endAccess(endOf(accountId));
      // From where it begins differs from round to round.
      const all = [...begun.slice(0, round), end, ...begun.slice(round)];
      const outcomes = await Promise.allSettled(all.map((each) => each()));
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          assert.match(String(outcome.reason.code), /^(access_ended|not_allowed)$/, String(outcome.reason));
      assert.deepEqual(await countsOf(bench.store, accountId), { ...FULL, ...NOTHING }, `round ${round}`);
      const renamed = { accountId, email: 'ann.new@corp.com' };
      assert.equal((await bench.store.persons.holdings(renamed, START)).sessions, 0, `round ${round}`);
      const { certificateRequestTokens: tokens } = bench.store;
      const again = { ...late, id: newId('crq') };
      await assert.rejects(tokens.create(again, again.id, { by: bySession(ann) }), { code: 'not_allowed' });
    }
  });
}

/** As with very many sessions. */
const ENDING_MS = 400;
const FULL = { member: true, sessions: 1, consoleSessions: 1, certificates: 1, tokens: 1, keys: 1 };
const NOTHING = { sessions: 0, consoleSessions: 0, certificates: 0, tokens: 0, keys: 0 };

async function countsOf(store: Store, accountId: AccountId): Promise<typeof FULL> {
  const held = await store.persons.holdings({ accountId, email: 'ann@corp.com' }, START);
  const { sessions, consoleSessions, certificates } = held;
  const [tokens, keys] = [held.requestTokens.length, held.apiKeys.length];
  return { member: held.member !== null, sessions, consoleSessions, certificates, tokens, keys };
}

function endOf(accountId: AccountId, over: Partial<AccessEnd> = {}): AccessEnd {
  const by = 'member:mem_1';
  return {
    accountId,
    email: 'ann@corp.com',
    at: START + 1,
    by,
    reason: 'unspecified',
    removesMember: false,
    ...over,
  };
}

/** As her session at the console makes something. */
function bySession({
  member,
  consoleHash,
}: Pick<Awaited<ReturnType<typeof personIn>>, 'member' | 'consoleHash'>) {
  return { memberId: member, keyId: null, sessionHash: consoleHash };
}

/** A login that set out a second before. */
function setOut(share: Parameters<typeof startOf>[0]['share'], browser: string, email = 'ann@corp.com') {
  const start = startOf({ share, at: START, browser, email, subject: 'ann@corp.com' });
  return { ...start, loopUntil: START - 1_000 };
}

/** Ann, who has one of each in an account of her own. */
async function personIn({ store }: Pick<Bench, 'store'>, { round = 0 }: { readonly round?: number } = {}) {
  const { accountId, caId } = await addCa(store);
  const share = await addShare(store, { accountId });
  const session = await addSession(store, { share, at: START, browser: `${accountId} ${round}` });
  const kept = await issue(store, certificateOf(accountId, caId));
  const token = await tokenOf(store, accountId);
  await store.certificateRequestTokens.create(token, newId('crq'));
  const member = await addMember(store, { accountId, email: 'ann@corp.com' });
  const consoleHash = newId('ses');
  await store.consoleSessions.begin(loginOf('ann@corp.com', { hash: consoleHash, within: accountId }));
  const keyHash = newId('key');
  const key = keyOf(accountId, { hash: keyHash, memberId: member.id, role: 'member' });
  await store.apiKeys.create(key, null);
  return {
    accountId,
    caId,
    share,
    session,
    consoleHash,
    keyHash,
    member: member.id,
    key: key.id,
    token: token.id,
    certificate: kept.id,
  };
}
