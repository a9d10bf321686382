// The suite's part on logins to the control plane.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import type { Person } from '../../domain/member-match.ts';
import type { ConsoleEntry } from '../people/people.ts';
import { HOUR_MS, START, type OpenBench, addAccount, benchOf } from './bench.test-support.ts';
import { keyOf } from './api-keys.test-support.ts';
import { deviceLoginOf } from './device-logins.test-support.ts';
import { addMember, invitationOf, loginOf, memberOf } from './people.test-support.ts';

export function consoleSessionsSuite(open: OpenBench): void {
  test('consoleSessions.begin() that goes on in another account takes a session that is there, and a member who is bound', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions } = bench.store;
    const [one, two] = [await addAccount(bench.store, 'one'), await addAccount(bench.store, 'two')];
    for (const accountId of [one, two]) await addMember(bench.store, { accountId, email: 'pat@acme.com' });
    const on = (hash: string, replaces: string) =>
      loginOf('pat@acme.com', { within: two, vouched: false, hash, replaces, goesOn: true });
    await consoleSessions.begin(loginOf('pat@acme.com', { within: one, hash: 'first' }));
    // The invitation of the other account is open: an address alone makes nobody a member.
    assert.equal((await consoleSessions.begin(on('none', 'first'))).kind, 'nobody');
    assert.equal((await consoleSessions.find('first'))?.kind, 'member');
    await consoleSessions.begin(loginOf('pat@acme.com', { within: two, hash: 'accepted' }));
    assert.deepEqual(
      (await consoleSessions.membersLike(loginOf('pat@acme.com').person, 0)).map((each) => [
        each.accountName,
        each.role,
        each.login?.subject,
      ]),
      [
        ['one', 'member', 'pat@acme.com'],
        ['two', 'member', 'pat@acme.com'],
      ],
    );
    const begun = await Promise.allSettled(
      ['a', 'b'].map((hash) => consoleSessions.begin(on(hash, 'first'))),
    );
    assert.deepEqual(begun.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    assert.equal(await consoleSessions.find('first'), null);
    const left = await Promise.all(['a', 'b'].map((hash) => consoleSessions.find(hash)));
    assert.equal(left.filter((session) => session !== null).length, 1);
    await assert.rejects(consoleSessions.begin(on('late', 'first')), { code: 'login_required' });
  });

  test('consoleSessions.begin() binds the first login, and nobody else is that member then (DESIGN 3)', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions } = bench.store;
    const accountId = await addAccount(bench.store, 'acme');
    const bob = await addMember(bench.store, { accountId, email: 'Bob@acme.com', hash: 'open' });
    const first = await consoleSessions.begin(loginOf('bob@ACME.com', { hash: 'one' }));
    assert.deepEqual([first.kind, 'accepted' in first && first.accepted], ['member', true]);
    const member = await memberOf(bench.store, accountId, bob.id);
    assert.deepEqual(member.login, { provider: 'corp', generation: 'gen1', subject: 'bob@ACME.com' });
    assert.deepEqual([member.acceptedAt, member.invitedUntil], [START, null]);
    assert.deepEqual(await consoleSessions.find('one'), {
      kind: 'member',
      member,
      accountName: 'acme',
      accountSuspended: false,
      provider: 'corp',
      generation: 'gen1',
      person: loginOf('bob@ACME.com').person,
      expiresAt: START + HOUR_MS,
    });
    const others: readonly Partial<Person>[] = [
      { subject: 'another' },
      { provider: 'other' },
      { generation: 'gen2' },
    ];
    for (const other of others)
      assert.equal(reasonOf(await consoleSessions.begin(loginOf('bob@acme.com', {}, other))), 'other_login');
    // The subject counts from now on, not the address.
    const moved = await consoleSessions.begin(
      loginOf('robert@acme.com', { createdAt: START + 5 }, { subject: 'bob@ACME.com' }),
    );
    assert.deepEqual([moved.kind, 'accepted' in moved && moved.accepted], ['member', false]);
    assert.equal((await memberOf(bench.store, accountId, bob.id)).lastLoginAt, START + 5);
    assert.equal(reasonOf(await consoleSessions.begin(loginOf('eve@acme.com'))), 'not_a_member');
  });

  test('consoleSessions.begin() takes an address at its word only when it is verified, or invited by token', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions, members } = bench.store;
    const accountId = await addAccount(bench.store);
    const bob = await addMember(bench.store, { accountId, email: 'bob@acme.com', hash: 'open' });
    const unverified = { emailVerified: false };
    // The provider says so, and is not believed.
    const without = await consoleSessions.begin(loginOf('bob@acme.com', { vouched: false }));
    assert.equal(reasonOf(without), 'email_unverified');
    const invitation = (await members.findInvitation('open'))?.id ?? null;
    const eve = await consoleSessions.begin(loginOf('eve@acme.com', { invitation }, unverified));
    assert.equal(reasonOf(eve), 'other_email');
    const asBob = loginOf('bob@acme.com', { invitation, hash: 'bob' }, unverified);
    assert.equal((await consoleSessions.begin(asBob)).kind, 'member');
    // What is kept is what the provider said.
    const kept = await consoleSessions.find('bob');
    assert.deepEqual(kept?.kind === 'member' && kept.person, asBob.person);
    const again = consoleSessions.begin(loginOf('bob@acme.com', { invitation }, unverified));
    await assert.rejects(again, { code: 'invitation_invalid' });
    // A new invitation binds again, and what the former login had open ends.
    await members.inviteAgain(accountId, bob.id, invitationOf('second'));
    const second = (await members.findInvitation('second'))?.id ?? null;
    await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'before' }));
    await consoleSessions.begin(loginOf('bob@acme.com', { invitation: second }, { subject: 'new' }));
    assert.equal(await consoleSessions.find('before'), null);
    assert.equal((await memberOf(bench.store, accountId, bob.id)).login?.subject, 'new');
  });

  test('consoleSessions.begin() ends the API keys that came from the login which a member was bound to before, and no others (THREATS "Session and cookie")', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, changes, consoleSessions, members } = bench.store;
    const accountId = await addAccount(bench.store);
    const [bob, ann] = [
      await addMember(bench.store, { accountId, email: 'bob@acme.com' }),
      await addMember(bench.store, { accountId, email: 'ann@acme.com' }),
    ];
    for (const { email } of [bob, ann]) await consoleSessions.begin(loginOf(email));
    const login = { provider: 'corp', generation: 'gen1', emailVerified: true };
    const keys = {
      device: keyOf(accountId, { name: 'device', hash: 'device', memberId: bob.id, login }),
      ci: keyOf(accountId, { name: 'ci', hash: 'ci', memberId: bob.id }),
      anns: keyOf(accountId, { name: 'anns', hash: 'anns', memberId: ann.id, login }),
    };
    for (const key of Object.values(keys)) await apiKeys.create(key, null);
    assert.equal((await consoleSessions.begin(loginOf('bob@acme.com'))).kind, 'member');
    assert.ok(await apiKeys.findByHash('device'), 'the same person again');
    await members.inviteAgain(accountId, bob.id, invitationOf('again'));
    const invitation = (await members.findInvitation('again'))?.id ?? null;
    const before = await changes.latest();
    const entry = await consoleSessions.begin(loginOf('bob@acme.com', { invitation }, { subject: 'new' }));
    assert.deepEqual('endedKeys' in entry && entry.endedKeys, ['device']);
    assert.equal(await apiKeys.findByHash('device'), null);
    for (const hash of ['ci', 'anns']) assert.ok(await apiKeys.findByHash(hash), hash);
    assert.deepEqual((await changes.since(before)).changes, [{ kind: 'api-key', id: keys.device.id }]);
  });

  test('deviceLogins.take() beside a login that takes the member over leaves no key behind, also of several processes (RFC 8628)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const accountId = await addAccount(bench.store);
    const login = { provider: 'corp', generation: 'gen1', emailVerified: true };
    for (let round = 0; round < 10; round++) {
      const email = `bob${round}@acme.com`;
      const member = await addMember(bench.store, { accountId, email });
      const sessionHash = `session ${round}`;
      await bench.store.consoleSessions.begin(loginOf(email, { hash: sessionHash }));
      const device = deviceLoginOf();
      await bench.store.deviceLogins.begin(device, { network: 100, block: 100, all: 100 });
      const decision = { kind: 'allowed', accountId, memberId: member.id, sessionHash } as const;
      await bench.store.deviceLogins.decide(device.userHash, decision, START);
      await bench.store.members.inviteAgain(accountId, member.id, invitationOf(email));
      const invitation = (await bench.store.members.findInvitation(email))?.id ?? null;
      const name = `key-${round}`;
      const key = keyOf(accountId, { name, hash: name, memberId: member.id, login });
      // As `/auth/token` does it.
      const taking = other.together(async () => {
        await other.apiKeys.create(key, { keyId: null });
        if ((await other.deviceLogins.take(device.deviceHash, START)) === null) throw new Error('used');
      });
      const person = { subject: `new ${round}` };
      const over = bench.store.consoleSessions.begin(loginOf(email, { invitation }, person));
      await Promise.allSettled([taking, over]);
      assert.equal((await over).kind, 'member');
      assert.equal(await bench.store.apiKeys.findByHash(name), null, `round ${round}`);
    }
  });

  test('consoleSessions.begin() uses an invitation up once, and binds one of many first logins', async () => {
    await using bench = await benchOf(open);
    const stores = [bench.store, await bench.again()];
    for (const invited of [true, false]) {
      const accountId = await addAccount(bench.store);
      const email = `${String(invited)}@acme.com`;
      const bob = await addMember(bench.store, { accountId, email, hash: email });
      const invitation = invited ? ((await bench.store.members.findInvitation(email))?.id ?? null) : null;
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          (stores[index % 2] ?? bench.store).consoleSessions.begin(
            loginOf(email, { invitation }, { subject: `subject ${String(invited)} ${index}` }),
          ),
        ),
      );
      const entered = answers.filter(
        (answer) => answer.status === 'fulfilled' && answer.value.kind === 'member',
      );
      assert.equal(entered.length, 1);
      assert.notEqual((await memberOf(bench.store, accountId, bob.id)).login, null);
    }
  });

  test('consoleSessions.begin() uses an invitation up once for a member who was bound before, too', async () => {
    await using bench = await benchOf(open);
    const stores = [bench.store, await bench.again()];
    const accountId = await addAccount(bench.store);
    for (let round = 0; round < 5; round++) {
      const email = `bob${round}@acme.com`;
      const bob = await addMember(bench.store, { accountId, email });
      await bench.store.consoleSessions.begin(loginOf(email));
      await bench.store.members.inviteAgain(accountId, bob.id, invitationOf(email));
      const invitation = (await bench.store.members.findInvitation(email))?.id ?? null;
      const answers = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          (stores[index % 2] ?? bench.store).consoleSessions.begin(loginOf(email, { invitation })),
        ),
      );
      const refused = answers.filter((answer) => answer.status === 'rejected');
      assert.equal(refused.length, 9);
      for (const { reason } of refused) assert.equal(reason.code, 'invitation_invalid');
    }
  });

  test('consoleSessions.begin() keeps to the account of the provider, and asks which of several', async () => {
    await using bench = await benchOf(open);
    const { accounts, consoleSessions } = bench.store;
    const acme = await addAccount(bench.store, 'acme');
    const beta = await addAccount(bench.store, 'beta');
    for (const accountId of [acme, beta]) await addMember(bench.store, { accountId, email: 'bob@x.com' });
    const both = await consoleSessions.begin(loginOf('bob@x.com'));
    assert.deepEqual(both.kind === 'choice' && both.members.map(({ accountName }) => accountName), [
      'acme',
      'beta',
    ]);
    const named = await consoleSessions.begin(loginOf('bob@x.com', { accountName: 'beta' }));
    assert.equal(named.kind === 'member' && named.member.accountId, beta);
    const within = await consoleSessions.begin(loginOf('bob@x.com', { within: acme }, { provider: 'own' }));
    assert.equal(within.kind === 'member' && within.member.accountId, acme);
    const nowhere = await consoleSessions.begin(loginOf('bob@x.com', { within: newId('acc') }));
    assert.equal(reasonOf(nowhere), 'not_a_member');
    await accounts.suspend(beta, true);
    assert.equal(
      reasonOf(await consoleSessions.begin(loginOf('bob@x.com', { accountName: 'beta' }))),
      'not_a_member',
    );
  });

  test('consoleSessions.find() is null once it ended, expired or was replaced; the sweep takes it', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions, members, sweep } = bench.store;
    const accountId = await addAccount(bench.store);
    await addMember(bench.store, { accountId, email: 'bob@acme.com', hash: 'open' });
    await addMember(bench.store, { accountId, email: 'eve@acme.com', hash: 'pending' });
    await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'one' }));
    await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'two', replaces: 'one' }));
    assert.equal(await consoleSessions.find('one'), null);
    await consoleSessions.end('two');
    await consoleSessions.end('two');
    assert.equal(await consoleSessions.find('two'), null);
    await consoleSessions.begin(loginOf('bob@acme.com', { hash: 'three' }));
    bench.clock.time += HOUR_MS;
    assert.equal(await consoleSessions.find('three'), null);
    await sweep(START + HOUR_MS);
    await sweep(START + HOUR_MS + 1);
    bench.clock.time = START;
    assert.equal(await consoleSessions.find('three'), null);
    assert.equal(await members.findInvitation('pending'), null);
  });
}

function reasonOf(entry: ConsoleEntry): string {
  return entry.kind === 'nobody' ? entry.reason : entry.kind;
}
