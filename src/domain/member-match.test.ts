import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId, MemberId } from './id.ts';
import { matchMember, type Candidate, type Match, type Person, wayInto } from './member-match.ts';

const BOB: Person = {
  provider: 'corp',
  generation: 'gen1',
  subject: 'bob',
  email: 'Bob@acme.com',
  emailVerified: true,
};
const BOUND = { provider: 'corp', generation: 'gen1', subject: 'bob' };

function candidate(id: string, over: Partial<Candidate> = {}): Candidate {
  return {
    id: `mem_${id}` as MemberId,
    accountId: 'acc_a' as AccountId,
    accountName: 'a',
    email: 'bob@acme.com',
    login: null,
    ...over,
  };
}

function outcome(match: Match): string {
  if (match.kind === 'nobody') return match.reason;
  if (match.kind === 'choice') return `choice of ${match.members.map(({ id }) => id).join(', ')}`;
  return `${match.member.id}${match.accepts ? ' accepts' : ''}`;
}

const other = { ...BOUND, subject: 'somebody else' };
const elsewhere = { accountId: 'acc_b' as AccountId, accountName: 'b' };

const ROWS: readonly (readonly [string, Person, readonly Candidate[], string | null, string])[] = [
  ['a verified address that was invited', BOB, [candidate('1')], null, 'mem_1 accepts'],
  [
    'an address that nobody vouches for',
    { ...BOB, emailVerified: false },
    [candidate('1')],
    null,
    'email_unverified',
  ],
  [
    'the bound login, whatever its address',
    { ...BOB, email: 'x@y.z' },
    [candidate('1', { login: BOUND })],
    null,
    'mem_1',
  ],
  [
    'the bound login, unverified',
    { ...BOB, emailVerified: false },
    [candidate('1', { login: BOUND })],
    null,
    'mem_1',
  ],
  ['the address, bound to another login', BOB, [candidate('1', { login: other })], null, 'other_login'],
  [
    'the subject at another provider',
    { ...BOB, provider: 'p' },
    [candidate('1', { login: BOUND })],
    null,
    'other_login',
  ],
  [
    'the subject of a former provider',
    { ...BOB, generation: 'g' },
    [candidate('1', { login: BOUND })],
    null,
    'other_login',
  ],
  ['nobody', BOB, [], null, 'not_a_member'],
  ['another address', BOB, [candidate('1', { email: 'bob@acme.com.evil.test' })], null, 'not_a_member'],
  [
    'two accounts',
    BOB,
    [candidate('1', { login: BOUND }), candidate('2', elsewhere)],
    null,
    'choice of mem_1, mem_2',
  ],
  // The address was given to another member meanwhile: the login is still the first one's.
  [
    'a bound and an open member of one account',
    BOB,
    [candidate('1', { login: BOUND, email: 'o@x.y' }), candidate('2')],
    null,
    'mem_1',
  ],
  ['an invitation, unverified', { ...BOB, emailVerified: false }, [candidate('1')], 'mem_1', 'mem_1 accepts'],
  ['an invitation after another login', BOB, [candidate('1', { login: other })], 'mem_1', 'mem_1 accepts'],
  [
    'an invitation of somebody else',
    BOB,
    [candidate('1', { email: 'eve@acme.com' })],
    'mem_1',
    'other_email',
  ],
  ['an invitation of another account', BOB, [candidate('1')], 'mem_2', 'not_a_member'],
  [
    'an invitation, with a login that is another member',
    BOB,
    [candidate('1'), candidate('2', { login: BOUND, email: 'o@x.y' })],
    'mem_1',
    'other_login',
  ],
  [
    'an invitation, with a login of another account',
    BOB,
    [candidate('1'), candidate('2', { login: BOUND, ...elsewhere })],
    'mem_1',
    'mem_1 accepts',
  ],
];

for (const [name, person, candidates, invited, wanted] of ROWS)
  test(`matchMember(): ${name} is ${wanted} (DESIGN "Who may use which provider")`, () => {
    assert.equal(outcome(matchMember(person, candidates, invited as MemberId | null)), wanted);
  });

test('wayInto(): only the very login goes on in another account; an address leads to a login at most', () => {
  const unverified = { ...BOB, emailVerified: false };
  assert.deepEqual(wayInto(BOB, candidate('1', { login: BOUND })), { kind: 'bound' });
  assert.deepEqual(wayInto(unverified, candidate('1', { login: BOUND, email: 'former@acme.com' })), {
    kind: 'bound',
  });
  assert.deepEqual(wayInto(BOB, candidate('1')), { kind: 'login', provider: 'corp' });
  const elsewhereBound = candidate('1', { login: { ...BOUND, provider: 'google' } });
  assert.deepEqual(wayInto(BOB, elsewhereBound), { kind: 'login', provider: 'google' });
  for (const login of [other, { ...BOUND, generation: 'gen2' }])
    assert.equal(wayInto(BOB, candidate('1', { login })), null);
  for (const each of [candidate('1'), elsewhereBound]) {
    assert.equal(wayInto(unverified, each), null);
    assert.equal(wayInto(BOB, { ...each, email: 'bob@acme.com.evil.test' }), null);
  }
});
