// The suite's part on members and their invitations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEmailAddress } from '../../domain/email-address.ts';
import { newId } from '../../domain/id.ts';
import { HOUR_MS, START, type OpenBench, addAccount, benchOf } from './bench.test-support.ts';
import { addMember, invitationOf, loginOf, memberOf } from './people.test-support.ts';

export function membersSuite(open: OpenBench): void {
  test('members.among() answers those of the addresses that are a member’s, in any case, of the account alone', async () => {
    await using bench = await benchOf(open);
    const [one, two] = [await addAccount(bench.store), await addAccount(bench.store)];
    await addMember(bench.store, { accountId: one, email: 'Ann@acme.com' });
    await addMember(bench.store, { accountId: two, email: 'bob@acme.com' });
    const asked = ['ann@acme.com', 'bob@acme.com', 'gone@acme.com'];
    assert.deepEqual(await bench.store.members.among(one, asked), ['ann@acme.com']);
    assert.deepEqual(await bench.store.members.among(two, asked), ['bob@acme.com']);
  });

  test('an address beyond ASCII counts in whatever spelling it is asked for (RFC 6531)', async () => {
    await using bench = await benchOf(open);
    const { members } = bench.store;
    const accountId = await addAccount(bench.store);
    const email = parseEmailAddress('Jörg@bücher.example') ?? '';
    const jorg = await addMember(bench.store, { accountId, email });
    for (const spelling of [email, 'JO\u0308RG@Bücher.example', 'jörg@XN--bcher-kva.example']) {
      assert.equal((await members.find(accountId, spelling))?.id, jorg.id, spelling);
    }
    assert.equal(await members.find(accountId, 'jorg@bücher.example'), null);
    const again = addMember(bench.store, { accountId, email });
    await assert.rejects(again, { code: 'member_exists' });
  });

  test('members.invite() keeps member and invitation; the address counts without its case', async () => {
    await using bench = await benchOf(open);
    const { members } = bench.store;
    const accountId = await addAccount(bench.store);
    const bob = await addMember(bench.store, { accountId, email: 'Bob@Acme.com' });
    assert.deepEqual(await members.find(accountId, bob.id), {
      ...bob,
      login: null,
      acceptedAt: null,
      lastLoginAt: null,
      invitedUntil: START + HOUR_MS,
    });
    assert.equal((await members.find(accountId, 'bob@acme.COM'))?.id, bob.id);
    const again = addMember(bench.store, { accountId, email: 'bob@acme.com' });
    await assert.rejects(again, { code: 'member_exists' });
    const elsewhere = await addAccount(bench.store);
    await addMember(bench.store, { accountId: elsewhere, email: 'bob@acme.com' });
    const first = await members.list(accountId, { after: null, limit: 1 });
    const second = await members.list(accountId, { after: first.next, limit: 9 });
    const emails = [first, second].map(({ rows }) => rows.map(({ email }) => email));
    assert.deepEqual(emails, [['admin@example.com'], ['Bob@Acme.com']]);
  });

  test('members.invite() lets one of many win for one address, whatever its case', async () => {
    await using bench = await benchOf(open);
    const accountId = await addAccount(bench.store);
    const stores = [bench.store, await bench.again()];
    // The first round may come one by one, while connections are made.
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          addMember(stores[index % 2] ?? bench.store, {
            accountId,
            email: `${index % 3 === 0 ? 'BOB' : 'bob'}${round}@acme.com`,
          }),
        ),
      );
      const refused = answers.filter((answer) => answer.status === 'rejected');
      assert.equal(refused.length, 9);
      for (const { reason } of refused) assert.equal(reason.code, 'member_exists');
    }
  });

  test('members of another account are unknown to every call (THREATS "Tenancy")', async () => {
    await using bench = await benchOf(open);
    const { members } = bench.store;
    const theirs = await addMember(bench.store, {
      accountId: await addAccount(bench.store),
      email: 'bob@acme.com',
    });
    const mine = await addAccount(bench.store);
    assert.equal(await members.find(mine, theirs.id), null);
    assert.equal(await members.find(mine, theirs.email), null);
    assert.equal(await members.changeRole(mine, theirs.id, 'admin'), null);
    assert.equal(await members.inviteAgain(mine, theirs.id, invitationOf('stolen')), null);
    assert.equal(await members.remove(mine, theirs.id), false);
    assert.equal((await members.find(theirs.accountId, theirs.id))?.role, 'member');
    assert.equal(await members.findInvitation('stolen'), null);
  });

  test('members.inviteAgain() replaces the invitation before; one that is over is none', async () => {
    await using bench = await benchOf(open);
    const { members } = bench.store;
    const accountId = await addAccount(bench.store);
    const bob = await addMember(bench.store, { accountId, email: 'bob@acme.com', hash: 'first' });
    assert.equal((await members.findInvitation('first'))?.memberId, bob.id);
    await members.inviteAgain(accountId, bob.id, invitationOf('second', 2 * HOUR_MS));
    assert.equal(await members.findInvitation('first'), null);
    assert.equal((await members.findInvitation('second'))?.memberId, bob.id);
    await bench.store.accounts.suspend(accountId, true);
    assert.equal(await members.findInvitation('second'), null);
    await bench.store.accounts.suspend(accountId, false);
    bench.clock.time += 2 * HOUR_MS;
    assert.equal(await members.findInvitation('second'), null);
  });

  test('whoever judges a member sees it as it is, and stops the change by throwing', async () => {
    await using bench = await benchOf(open);
    const { members } = bench.store;
    const accountId = await addAccount(bench.store);
    const [before] = (await members.list(accountId, { after: null, limit: 1 })).rows;
    assert.ok(before);
    const seen: unknown[] = [];
    const judge = (member: unknown): never => {
      seen.push(member);
      throw new Error('not this one');
    };
    const stopped = /not this one/;
    await assert.rejects(members.changeRole(accountId, before.id, 'admin', judge), stopped);
    await assert.rejects(members.remove(accountId, before.id, judge), stopped);
    await assert.rejects(members.inviteAgain(accountId, before.id, invitationOf('judged'), judge), stopped);
    assert.deepEqual(seen, [before, before, before]);
    assert.deepEqual(await members.find(accountId, before.id), before);
  });

  test('members.remove() takes keys, sessions and invitation with it', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, consoleSessions, members } = bench.store;
    const accountId = await addAccount(bench.store);
    const bob = await addMember(bench.store, { accountId, email: 'bob@acme.com', hash: 'open' });
    await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'session' }));
    await members.inviteAgain(accountId, bob.id, invitationOf('again'));
    await apiKeys.create(
      {
        id: newId('key'),
        accountId,
        name: 'bobs',
        hash: 'key',
        createdAt: START,
        role: 'member',
        scope: 'full',
        expiresAt: null,
        memberId: bob.id,
        createdBy: null,
      },
      null,
    );
    assert.notEqual(await consoleSessions.find('session'), null);
    assert.equal(await members.remove(accountId, bob.id), true);
    assert.equal(await members.remove(accountId, bob.id), false);
    assert.deepEqual(
      [
        await members.find(accountId, bob.id),
        await consoleSessions.find('session'),
        await members.findInvitation('again'),
        await apiKeys.findByHash('key'),
      ],
      [null, null, null, null],
    );
  });

  test('the last admin who can act is neither deleted nor demoted', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions, members } = bench.store;
    const accountId = await addAccount(bench.store);
    const first = await memberOf(bench.store, accountId, 'admin@example.com');
    const second = await addMember(bench.store, { accountId, email: 'bob@acme.com', role: 'admin' });
    // Invited is not yet there.
    await assert.rejects(members.remove(accountId, first.id), { code: 'last_admin' });
    await assert.rejects(members.changeRole(accountId, first.id, 'member'), { code: 'last_admin' });
    assert.equal((await members.changeRole(accountId, first.id, 'admin'))?.role, 'admin');
    await consoleSessions.begin(loginOf('bob@acme.com'));
    assert.equal((await members.changeRole(accountId, first.id, 'member'))?.role, 'member');
    await assert.rejects(members.remove(accountId, second.id), { code: 'last_admin' });
    await members.changeRole(accountId, first.id, 'admin');
    assert.equal(await members.remove(accountId, second.id), true);
  });

  test('two admins who delete each other leave one of them', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    for (let round = 0; round < 5; round++) {
      const accountId = await addAccount(bench.store);
      const first = await memberOf(bench.store, accountId, 'admin@example.com');
      const second = await addMember(bench.store, {
        accountId,
        email: `bob${round}@acme.com`,
        role: 'admin',
      });
      await bench.store.consoleSessions.begin(loginOf(second.email));
      const answers = await Promise.allSettled([
        bench.store.members.remove(accountId, first.id),
        other.members.remove(accountId, second.id),
      ]);
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      assert.equal((await bench.store.members.list(accountId, { after: null, limit: 9 })).rows.length, 1);
    }
  });
}
