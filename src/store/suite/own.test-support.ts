// The suite's part on people's own things: whose a session or a certificate is, and what they may do with it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Certificate } from '../../domain/certificate.ts';
import { type AccountId, newId } from '../../domain/id.ts';
import type { SessionFacts } from '../../domain/session-facts.ts';
import type { NewRenewalToken } from '../certificates/certificate.ts';
import type { NewVisitorSession } from '../people/console-session.ts';
import type { Owner } from '../people/own-things.ts';
import type { Store } from '../store.ts';
import { HOUR_MS, START, type OpenBench, addSession, addShare, benchOf } from './bench.test-support.ts';
import { addCa, certificateOf, issue, tokenOf } from './certificates.test-support.ts';
import { addSpareKey } from '../../../test/support/spare-key.ts';

export function ownSuite(open: OpenBench): void {
  test('own.sessions() are those of one person at one provider; an account’s provider speaks for it alone', async () => {
    await using bench = await benchOf(open);
    const { accounts, own, sessions } = bench.store;
    const share = await addShare(bench.store);
    const other = await addShare(bench.store);
    const mine = await addSession(bench.store, { share, at: START, browser: 'a' });
    const elsewhere = await addSession(bench.store, { share: other, at: START + 1, browser: 'b' });
    await addSession(bench.store, { share, at: START, browser: 'c', subject: 'subject-2' });
    await addSession(bench.store, { share, at: START, browser: 'd', generation: 'gen2' });
    await addSession(bench.store, { share, at: START, browser: 'e', provider: 'other' });
    const over = await addSession(bench.store, { share, at: START, browser: 'f', lifetimeMs: 1 });
    bench.clock.time = START + 2;
    const ids = async (owner: Owner) => (await own.sessions(owner, 9)).map(({ row }) => row.id);
    assert.deepEqual(await ids(ANN), [elsewhere, mine]);
    assert.deepEqual(
      (await own.sessions(ANN, 1)).map(({ shareName }) => shareName),
      [other.name],
    );
    assert.deepEqual(await ids({ ...ANN, within: share.accountId }), [mine]);
    assert.deepEqual(await ids({ ...ANN, within: newId('acc') }), []);
    // The address alone makes nobody the same person.
    assert.deepEqual(await ids({ ...ANN, person: { ...ANN.person, subject: 'subject-3' } }), []);
    await accounts.suspend(other.accountId, true);
    assert.deepEqual(await ids(ANN), [mine]);
    // It ended with the account, and does not come back with it.
    await accounts.suspend(other.accountId, false);
    const again = await addSession(bench.store, { share: other, at: START + 2, browser: 'b' });
    const end = async (owner: Owner, id: typeof mine | null) =>
      (await own.endSessions({ owner, id, reason: 'ended_by_person', at: START + 3 })).map((row) => row.id);
    assert.deepEqual(await end({ ...ANN, within: share.accountId }, elsewhere), []);
    assert.deepEqual(await end(ANN, over), []);
    assert.deepEqual(await end(ANN, mine), [mine]);
    assert.deepEqual(await end(ANN, mine), []);
    assert.equal((await sessions.find(mine))?.endReason, 'ended_by_person');
    assert.deepEqual(await end(ANN, null), [again]);
    assert.deepEqual(await ids(ANN), []);
    assert.equal(await sessions.countActive(share.accountId), 3);
  });

  test('own.places() are the accounts of one person: sessions, over or not, membership, certificates; not suspended', async () => {
    await using bench = await benchOf(open);
    const { accounts, own } = bench.store;
    const share = await addShare(bench.store);
    const over = { share, browser: 'a', lifetimeMs: 1 };
    await addSession(bench.store, { ...over, at: START, facts: groupFacts('former') });
    const ca = await addCa(bench.store);
    await issued(bench.store, ca, { subject: subjectOf('ann@corp.com') });
    const others = await addShare(bench.store);
    await addSession(bench.store, { share: others, at: START, browser: 'b', subject: 'subject-2' });
    await addSession(bench.store, { share: others, at: START, browser: 'c', generation: 'gen2' });
    bench.clock.time = START + 2;
    const all = { from: '', limit: 9 };
    const ids = async (owner: Owner, page = all) => (await own.places(owner, page)).map(({ id }) => id);
    const both = [share.accountId, ca.accountId].toSorted();
    assert.deepEqual(await ids(ANN), both);
    assert.deepEqual(await ids(ANN, { from: both[1] ?? '', limit: 9 }), both.slice(1));
    assert.deepEqual(await ids(ANN, { from: '', limit: 1 }), both.slice(0, 1));
    assert.deepEqual(await ids({ ...ANN, within: ca.accountId }), [ca.accountId]);
    const unverified = { ...ANN, person: { ...ANN.person, emailVerified: false } };
    assert.deepEqual(await ids(unverified), [share.accountId]);
    assert.deepEqual((await own.facts(ANN))?.groups, ['former']);
    await addSession(bench.store, { share, browser: 'd', at: START + 1, facts: groupFacts('now') });
    assert.deepEqual((await own.facts(ANN))?.groups, ['now']);
    assert.equal(await own.facts({ ...ANN, within: ca.accountId }), null);
    await accounts.suspend(share.accountId, true);
    assert.deepEqual(await ids(ANN), [ca.accountId]);
  });

  test('own.certificates() say an address that is vouched for, in any case; within one account for its provider', async () => {
    await using bench = await benchOf(open);
    const { accounts, own } = bench.store;
    const one = await addCa(bench.store);
    const two = await addCa(bench.store);
    const mine = await issued(bench.store, one, { subject: subjectOf('Ann@Corp.com') });
    const there = await issued(bench.store, two, {
      subject: subjectOf('ann@corp.com'),
      notAfter: START + 9 * HOUR_MS,
    });
    await issued(bench.store, one, { subject: subjectOf('bob@corp.com') });
    const ids = async (owner: Owner) =>
      (await own.certificates(owner, 9)).map(({ certificate }) => certificate.id);
    assert.deepEqual(new Set(await ids(ANN)), new Set([mine.id, there.id]));
    assert.deepEqual(await ids({ ...ANN, within: one.accountId }), [mine.id]);
    assert.deepEqual(await ids({ ...ANN, person: { ...ANN.person, emailVerified: false } }), []);
    assert.equal((await own.certificate(ANN, there.id))?.certificate.id, there.id);
    assert.equal(await own.certificate({ ...ANN, within: one.accountId }, there.id), null);
    assert.equal(
      await own.certificate({ ...ANN, person: { ...ANN.person, emailVerified: false } }, mine.id),
      null,
    );
    await accounts.suspend(two.accountId, true);
    assert.deepEqual(await ids(ANN), [mine.id]);
  });

  test('consoleSessions.beginVisit() is for whom something is here, and ends what the browser had', async () => {
    await using bench = await benchOf(open);
    const { consoleSessions, sweep } = bench.store;
    assert.equal(await consoleSessions.beginVisit(visitOf()), false);
    assert.equal(await consoleSessions.find('visit'), null);
    const share = await addShare(bench.store);
    await addSession(bench.store, { share, at: START });
    assert.equal(await consoleSessions.beginVisit(visitOf({ within: newId('acc') })), false);
    assert.equal(await consoleSessions.beginVisit(visitOf({ within: share.accountId })), true);
    assert.deepEqual(await consoleSessions.find('visit'), {
      kind: 'visitor',
      person: ANN.person,
      within: share.accountId,
      expiresAt: START + HOUR_MS,
    });
    assert.equal(await consoleSessions.beginVisit(visitOf({ hash: 'next', replaces: 'visit' })), true);
    assert.equal(await consoleSessions.find('visit'), null);
    // A certificate is enough, living or over, when the address is vouched for.
    const bob = { ...ANN.person, subject: 'bob', email: 'bob@corp.com' };
    const ca = await addCa(bench.store);
    await issued(bench.store, ca, { subject: subjectOf('bob@corp.com'), notAfter: START + 1 });
    bench.clock.time = START + 2;
    assert.equal(await consoleSessions.beginVisit(visitOf({ person: bob, vouched: false })), false);
    assert.equal(await consoleSessions.beginVisit(visitOf({ person: bob })), true);
    await consoleSessions.end('visit');
    // What is kept is what the provider said, whatever it is worth here.
    assert.equal(await consoleSessions.beginVisit(visitOf({ vouched: false, hash: 'kept' })), true);
    const kept = await consoleSessions.find('kept');
    assert.deepEqual(kept?.kind === 'visitor' && kept.person, ANN.person);
    assert.equal(await consoleSessions.find('visit'), null);
    bench.clock.time = START + HOUR_MS;
    assert.equal(await consoleSessions.find('next'), null);
    await sweep(START + HOUR_MS + 1);
    bench.clock.time = START;
    assert.equal(await consoleSessions.find('next'), null);
  });

  test('certificateRequestTokens.createRenewal() keeps one open at a time, and none for what is over', async () => {
    await using bench = await benchOf(open);
    const { apiKeys, certificateRequestTokens: tokens, certificates } = bench.store;
    const other = await bench.again();
    const { accountId, caId } = await addCa(bench.store);
    const held = await issued(bench.store, { accountId, caId }, { notAfter: START + 9 * HOUR_MS });
    const renewal = await renewalOf(bench.store, held);
    const made = await Promise.all([
      tokens.createRenewal(renewal, 'one'),
      other.certificateRequestTokens.createRenewal({ ...renewal, id: newId('crq') }, 'two'),
      tokens.createRenewal({ ...renewal, id: newId('crq') }, 'three'),
    ]);
    assert.deepEqual(made, ['made', 'made', 'made']);
    const open_ = await Promise.all(['one', 'two', 'three'].map((hash) => tokens.findByHash(hash)));
    const [token, ...rest] = open_.filter((each) => each !== null);
    assert.ok(token);
    assert.deepEqual([rest, token.renews], [[], held.id]);
    const next = certificateOf(accountId, caId, {
      tokenId: token.id,
      renewedFrom: held.id,
      createdAt: START + 1,
      notAfter: START + 20 * HOUR_MS,
    });
    assert.equal((await tokens.redeem(token.id, next))?.renewedFrom, held.id);
    assert.equal(await tokens.createRenewal({ ...renewal, id: newId('crq') }, 'four'), 'renewed');
    // With the new one revoked it may be renewed again; revoked itself, a link that is open is worth nothing.
    await revoke(next.id);
    assert.equal(await tokens.createRenewal({ ...renewal, id: newId('crq') }, 'five'), 'made');
    const five = await tokens.findByHash('five');
    assert.ok(five);
    await revoke(held.id);
    const late = { ...next, id: newId('cer'), serial: 'AB', fingerprint: 'ab', tokenId: five.id } as const;
    assert.equal(await tokens.redeem(five.id, late), null);
    assert.equal(await tokens.createRenewal({ ...renewal, id: newId('crq') }, 'six'), 'over');
    const [maker] = (await apiKeys.list(accountId, { after: null, limit: 1 })).rows;
    await addSpareKey(bench.store, accountId);
    await apiKeys.remove(accountId, maker?.id ?? '');
    assert.equal(await tokens.createRenewal({ ...renewal, id: newId('crq') }, 'seven'), 'maker_gone');

    async function revoke(id: Certificate['id']): Promise<void> {
      const of = { accountId, chosen: { id }, reason: 'unspecified', by: 'holder', at: START + 2 } as const;
      assert.equal((await certificates.revoke(of)).length, 1);
    }
  });

  test('a renewal, another one and a revocation at once leave nothing good of what was revoked', async () => {
    await using bench = await benchOf(open);
    const { certificateRequestTokens: tokens, certificates } = bench.store;
    const other = await bench.again();
    const { accountId, caId } = await addCa(bench.store);
    const held = await issued(bench.store, { accountId, caId }, { notAfter: START + 9 * HOUR_MS });
    const renewal = await renewalOf(bench.store, held);
    await tokens.createRenewal(renewal, 'first');
    const next = certificateOf(accountId, caId, {
      tokenId: renewal.id,
      renewedFrom: held.id,
      createdAt: START + 1,
      notAfter: START + 20 * HOUR_MS,
    });
    const of = { accountId, chosen: { id: held.id }, reason: 'unspecified', by: 'holder' } as const;
    await Promise.all([
      other.certificates.revoke({ ...of, at: START + 1 }),
      tokens.redeem(renewal.id, next),
      other.certificateRequestTokens.createRenewal({ ...renewal, id: newId('crq') }, 'second'),
    ]);
    const made = await certificates.find(accountId, next.id);
    assert.ok(made === null || made.revokedAt !== null);
    const second = await tokens.findByHash('second');
    const late = { ...next, id: newId('cer'), serial: 'AB', fingerprint: 'ab' };
    if (second !== null) assert.equal(await tokens.redeem(second.id, { ...late, tokenId: second.id }), null);
  });
}

const ANN: Owner = {
  person: {
    provider: 'corp',
    generation: 'gen1',
    subject: 'subject-1',
    email: 'ANN@corp.com',
    emailVerified: true,
  },
  within: null,
};

function visitOf(over: Partial<NewVisitorSession> = {}): NewVisitorSession {
  return {
    ...ANN,
    vouched: true,
    hash: 'visit',
    createdAt: START,
    expiresAt: START + HOUR_MS,
    ip: '192.0.2.1',
    replaces: null,
    ...over,
  };
}

async function issued(
  store: Store,
  { accountId, caId }: { readonly accountId: AccountId; readonly caId: Certificate['caId'] },
  over: Partial<Certificate> = {},
): Promise<Certificate> {
  const certificate = certificateOf(accountId, caId, over);
  await issue(store, certificate);
  return certificate;
}

async function renewalOf(store: Store, { id, accountId }: Certificate): Promise<NewRenewalToken> {
  return { ...(await tokenOf(store, accountId)), renews: id };
}

function subjectOf(emailAddress: string): Certificate['subject'] {
  return { commonName: 'ann', organization: 'Corp', organizationalUnit: null, emailAddress };
}

function groupFacts(name: string): SessionFacts {
  return { groups: [name], claims: {}, acr: null, amr: [], authTime: null, name: null };
}
