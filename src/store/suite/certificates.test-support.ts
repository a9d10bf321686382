// The suite's part on certificates: authorities, request tokens, what was issued and revoked.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { OPEN_POLICY, type Certificate } from '../../domain/certificate.ts';
import type { AccountCaId, AccountId, CertificateId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import { Secret } from '../../domain/secret.ts';
import type { ServiceError } from '../../domain/service-error.ts';
import type { CertificateQuery, NewToken } from '../certificates/certificate.ts';
import type { LimitedApiKey } from '../people/people.ts';
import type { Store } from '../store.ts';
import { HOUR_MS, START, type OpenBench, addAccount, benchOf, caOf } from './bench.test-support.ts';
import { webhookOf } from './webhooks.test-support.ts';

export function certificatesSuite(open: OpenBench): void {
  test('cas.put() keeps one that issues; whoever makes the first at the same time gets that one', async () => {
    await using bench = await benchOf(open);
    const { cas } = bench.store;
    const other = await bench.again();
    const accountId = await addAccount(bench.store);
    const [one, two] = await Promise.all([
      cas.put(caOf(accountId), true),
      other.cas.put(caOf(accountId), true),
    ]);
    assert.equal(one.id, two.id);
    const next = await cas.put(caOf(accountId, START + HOUR_MS), false);
    const listed = await cas.list(accountId, START);
    const retired = listed.map(({ id, retiredAt }) => [id, retiredAt]);
    assert.deepEqual(retired, [
      [next.id, null],
      [one.id, START + HOUR_MS],
    ]);
    assert.equal((await cas.privateKey(accountId, next.id))?.reveal(), 'key');
    const stranger = await addAccount(bench.store);
    assert.equal(await cas.privateKey(stranger, next.id), null);
    assert.deepEqual(await cas.list(stranger, START), []);
    assert.equal((await cas.all(START)).length, 2);
    const trusted = async (now: number) =>
      (await cas.trustedAmong([one.id, newId('aca')], now)).map(({ id }) => id);
    assert.deepEqual([await trusted(START), await trusted(one.notAfter)], [[one.id], []]);
    const before = await bench.store.changes.latest();
    await bench.store.accounts.suspend(accountId, true);
    assert.deepEqual([await cas.all(START), await trusted(START)], [[], []]);
    // To the gateways they go, and come again.
    const { changes } = await bench.store.changes.since(before);
    assert.deepEqual(new Set(changes.map(({ id }) => id)), new Set([one.id, next.id]));
  });

  test('cas: one that issues nothing more is trusted until its last leaf is over', async () => {
    await using bench = await benchOf(open);
    const { cas } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const leaf = certificateOf(accountId, caId, { notAfter: START + 50 * HOUR_MS });
    await issue(bench.store, leaf);
    const next = await cas.put(caOf(accountId, START + HOUR_MS), false);
    const trustedAt = async (hours: number) => {
      const listed = (await cas.list(accountId, START + hours * HOUR_MS)).map(({ id }) => id);
      const all = (await cas.all(START + hours * HOUR_MS)).map(({ id }) => id);
      assert.deepEqual(all.toSorted(), listed.toSorted());
      return listed;
    };
    assert.deepEqual(await trustedAt(1), [next.id, caId]);
    assert.deepEqual(await trustedAt(49), [next.id, caId]);
    assert.deepEqual(await trustedAt(51), [next.id]);
    // Without a leaf it goes after a while, in which what it is signing may come in.
    const last = await cas.put(caOf(accountId, START + 60 * HOUR_MS), false);
    assert.deepEqual(await trustedAt(60.5), [last.id, next.id]);
    assert.deepEqual(await trustedAt(62), [last.id]);
  });

  test('cas: the gateways trust a retired one until the last leaf that is not revoked is over, and hear when that changes (SECURITY)', async () => {
    await using bench = await benchOf(open);
    const { cas, certificates, changes } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const leafUntil = (hours: number, over: Partial<Certificate> = {}) =>
      issue(bench.store, certificateOf(accountId, caId, { notAfter: START + hours * HOUR_MS, ...over }));
    const [short, long] = [await leafUntil(20), await leafUntil(50)];
    const retiredAt = START + HOUR_MS;
    const next = await cas.put(caOf(accountId, retiredAt), false);
    const now = START + 10 * HOUR_MS;
    const ends = async () => {
      const all = await cas.all(now);
      assert.deepEqual(await cas.trustedAmong([caId, next.id], now), all);
      const until = (id: string) => all.find((ca) => ca.id === id)?.trustedUntil;
      assert.equal(until(next.id), next.notAfter);
      return until(caId);
    };
    assert.equal(await ends(), long.notAfter);
    const heard = async (work: () => Promise<unknown>) => {
      const before = await changes.latest();
      await work();
      return (await changes.since(before)).changes.some(({ kind, id }) => kind === 'ca' && id === caId);
    };
    const of = { accountId, reason: 'unspecified', by: 'operator', at: now } as const;
    const revoke = (id: CertificateId) => heard(() => certificates.revoke({ ...of, chosen: { id } }));
    assert.equal(await revoke(long.id), true);
    assert.equal(await ends(), short.notAfter);
    // What was being signed when it was retired.
    assert.equal(await heard(() => leafUntil(30)), true);
    assert.equal(await ends(), START + 30 * HOUR_MS);
    const renewed = { caId, renewedFrom: short.id, notAfter: START + 40 * HOUR_MS, createdAt: now };
    assert.equal(await heard(() => certificates.renew(certificateOf(accountId, caId, renewed), START)), true);
    assert.equal(await ends(), START + 40 * HOUR_MS);
    const { certificates: living } = await certificates.list({ ...queryOf(accountId), state: 'living', now });
    for (const { id } of living) await revoke(id);
    assert.equal(await ends(), undefined);
    // Its revocation list is fetched still.
    assert.ok((await cas.list(accountId, now)).some(({ id }) => id === caId));
  });

  test('cas.put() replaces five times within a day, and again when the first of them is a day ago', async () => {
    await using bench = await benchOf(open);
    const { cas } = bench.store;
    const accountId = await addAccount(bench.store);
    const put = (hours: number) => cas.put(caOf(accountId, START + hours * HOUR_MS), false);
    // The first one replaces none.
    for (const hours of [0, 1, 2, 3, 4, 5]) await put(hours);
    await assert.rejects(put(23), (error: ServiceError) => {
      assert.deepEqual([error.code, error.extra['retryAfterSeconds']], ['rate_limited', 2 * 3600]);
      return true;
    });
    assert.equal((await cas.put(caOf(accountId, START + 23 * HOUR_MS), true)).createdAt, START + 5 * HOUR_MS);
    await put(25);
    await assert.rejects(put(25.5), { code: 'rate_limited' });
  });

  test('cas.setPolicy() loses no change to another', async () => {
    await using bench = await benchOf(open);
    const { cas } = bench.store;
    const accountId = await addAccount(bench.store);
    assert.deepEqual(await cas.policy(accountId), { policy: OPEN_POLICY, version: 0 });
    const policy = { ...OPEN_POLICY, organization: 'Corp', organizationalUnits: ['Sales'] };
    assert.deepEqual(await cas.setPolicy(accountId, policy, 0), { policy, version: 1 });
    await assert.rejects(cas.setPolicy(accountId, OPEN_POLICY, 0), { code: 'precondition_failed' });
    assert.deepEqual(await cas.policy(accountId), { policy, version: 1 });
    assert.equal((await cas.setPolicy(accountId, OPEN_POLICY, null)).version, 2);
  });

  test('certificateRequestTokens.redeem() uses a token up once, whoever tries at the same time (contract 2.7)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { accountId, caId } = await addCa(bench.store);
    const token = await tokenOf(bench.store, accountId);
    await bench.store.certificateRequestTokens.create(token, 'hash');
    const tries = Array.from({ length: 20 }, (_, index) => {
      const { certificateRequestTokens } = index % 2 === 0 ? bench.store : other;
      return certificateRequestTokens.redeem(token.id, certificateOf(accountId, caId, { tokenId: token.id }));
    });
    const made = (await Promise.all(tries)).filter((certificate) => certificate !== null);
    assert.equal(made.length, 1);
    const found = await bench.store.certificateRequestTokens.findByHash('hash');
    assert.deepEqual([found?.usedAt, found?.certificateId], [START, made[0]?.id]);
    const { certificates: everything } = await bench.store.certificates.list(queryOf(accountId));
    assert.deepEqual(everything, made);
    assert.deepEqual(await bench.store.certificates.find(accountId, made[0]?.serial ?? ''), made[0]);
  });

  test('redeem() and renew() keep no certificate beyond the most that an account may have, and use nothing up', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { certificates, certificateRequestTokens: tokens } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const full = { code: 'limit_reached' };
    const made = [await tokenOf(bench.store, accountId), await tokenOf(bench.store, accountId)];
    for (const token of made) await tokens.create(token, token.id);
    const tries = await Promise.allSettled(
      made.map(({ id }, index) =>
        (index === 0 ? tokens : other.certificateRequestTokens).redeem(id, certificateOf(accountId, caId), {
          most: 1,
        }),
      ),
    );
    const winner = tries.findIndex(({ status }) => status === 'fulfilled');
    const refused = tries.find(({ status }) => status === 'rejected');
    assert.ok(refused?.status === 'rejected');
    assert.equal((refused.reason as { code?: unknown }).code, 'limit_reached');
    const left = made[1 - winner]!;
    assert.equal((await tokens.find(accountId, left.id))?.usedAt, null);
    const [first] = (await certificates.list(queryOf(accountId))).certificates;
    assert.ok(first);
    const renewed = () => certificateOf(accountId, caId, { renewedFrom: first.id });
    assert.ok(await certificates.renew(renewed(), START, 1), 'a full account renews what it has');
    await assert.rejects(certificates.renew(renewed(), START, 1), full, 'but no more than that');
    await assert.rejects(tokens.redeem(left.id, certificateOf(accountId, caId), { most: 1 }), full);
    await assert.rejects(tokens.redeem(left.id, certificateOf(accountId, caId), { most: 2 }), full);
    const stranger = await addCa(bench.store);
    const theirs = await tokenOf(bench.store, stranger.accountId);
    await tokens.create(theirs, 'theirs');
    assert.ok(await tokens.redeem(theirs.id, certificateOf(stranger.accountId, stranger.caId), { most: 1 }));
    assert.ok(await tokens.redeem(left.id, certificateOf(accountId, caId), { most: 3 }), 'still good');
  });

  test('redeem() by several gateways at once fills the most that an account may have, and keeps none beyond it', async () => {
    await using bench = await benchOf(open);
    const stores = [bench.store, await bench.again(), await bench.again()];
    const { accountId, caId } = await addCa(bench.store);
    const tokens = await Promise.all(Array.from({ length: 60 }, () => tokenOf(bench.store, accountId)));
    for (const token of tokens) await bench.store.certificateRequestTokens.create(token, token.id);
    const tries = await Promise.allSettled(
      tokens.map(({ id }, index) =>
        (stores[index % stores.length] ?? bench.store).certificateRequestTokens.redeem(
          id,
          certificateOf(accountId, caId),
          { most: 45 },
        ),
      ),
    );
    const refused = tries.flatMap((tried) => (tried.status === 'rejected' ? [tried.reason.code] : []));
    assert.deepEqual(refused, Array<string>(15).fill('limit_reached'));
    assert.equal((await bench.store.certificates.list(queryOf(accountId))).certificates.length, 45);
  });

  test('redeem() and renew() count what is revoked until it is over, so that revoking makes no room without end', async () => {
    await using bench = await benchOf(open);
    const { certificates, certificateRequestTokens: tokens } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const of = { accountId, reason: 'unspecified', by: 'operator', at: START } as const;
    for (let count = 0; count < 4; count++) {
      const { id } = await issue(bench.store, certificateOf(accountId, caId));
      await certificates.revoke({ ...of, chosen: { id } });
    }
    const held = await issue(
      bench.store,
      certificateOf(accountId, caId, { notAfter: START + 200 * HOUR_MS }),
    );
    const [token, another] = [await tokenOf(bench.store, accountId), await tokenOf(bench.store, accountId)];
    await tokens.create(token, token.id);
    // One is good, of two that may be: it is the others that leave no room.
    const full = { code: 'limit_reached', message: /4 revoked certificates/ };
    await assert.rejects(tokens.redeem(token.id, certificateOf(accountId, caId), { most: 2 }), full);
    await assert.rejects(tokens.create(another, another.id, { most: { tokens: 9, certificates: 2 } }), full);
    const renewed = (createdAt: number) =>
      certificateOf(accountId, caId, { renewedFrom: held.id, createdAt, notAfter: createdAt + HOUR_MS });
    await assert.rejects(certificates.renew(renewed(START), START, 2), full);
    assert.ok(await certificates.renew(renewed(START + 100 * HOUR_MS), START, 2), 'when those are over');
    assert.ok(await tokens.redeem(token.id, certificateOf(accountId, caId), { most: 3 }), 'still good');
  });

  test('certificateRequestTokens: none that is over, gone, another account’s or a suspended one’s is good (contract 2.7)', async () => {
    await using bench = await benchOf(open);
    const { certificateRequestTokens: tokens, accounts } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const token = await tokenOf(bench.store, accountId);
    await tokens.create(token, 'hash');
    const late = certificateOf(accountId, caId, { createdAt: token.expiresAt });
    assert.equal(await tokens.redeem(token.id, late), null);
    const stranger = await addCa(bench.store);
    assert.equal(await tokens.redeem(token.id, certificateOf(stranger.accountId, stranger.caId)), null);
    assert.equal(await tokens.find(stranger.accountId, token.id), null);
    assert.equal(await tokens.remove(stranger.accountId, token.id), null);
    await accounts.suspend(accountId, true);
    assert.equal(await tokens.findByHash('hash'), null);
    await accounts.suspend(accountId, false);
    assert.equal((await tokens.remove(accountId, token.id))?.name, 'ann’s laptop');
    assert.equal(await tokens.redeem(token.id, certificateOf(accountId, caId)), null);
    assert.deepEqual((await bench.store.certificates.list(queryOf(accountId))).certificates, []);
  });

  test('certificateRequestTokens.list() of those that are open, used, or over', async () => {
    await using bench = await benchOf(open);
    const { accountId, caId } = await addCa(bench.store);
    const { certificateRequestTokens: tokens } = bench.store;
    const one = await tokenOf(bench.store, accountId);
    await tokens.create(one, newId('crq'));
    const used = await issue(bench.store, certificateOf(accountId, caId));
    const found = async (is: 'open' | 'used' | 'expired', now: number) => {
      const listed = await tokens.list(accountId, { after: null, limit: 9, state: { is, now } });
      return listed.rows.map(({ id, certificateId }) => certificateId ?? id);
    };
    assert.deepEqual(await found('open', one.expiresAt - 1), [one.id]);
    assert.deepEqual(await found('open', one.expiresAt), []);
    assert.deepEqual(await found('expired', one.expiresAt - 1), []);
    assert.deepEqual(await found('expired', one.expiresAt), [one.id]);
    assert.deepEqual(await found('used', one.expiresAt), [used.id]);
  });

  test('certificateRequestTokens.redeem() takes none whose maker is gone or no admin any more (contract 2.7)', async () => {
    await using bench = await benchOf(open);
    const { certificateRequestTokens: tokens, members, apiKeys, certificates } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const [admin] = (await members.list(accountId, { after: null, limit: 1 })).rows;
    assert.ok(admin);
    const member = { ...admin, id: newId('mem'), email: 'bob@corp.com' };
    const invitation = { id: newId('inv'), hash: newId('inv'), createdAt: START, expiresAt: START + HOUR_MS };
    await members.invite({ ...member, by: 'operator' }, invitation);
    const keyOf = async (over: Partial<LimitedApiKey>) => {
      const id = newId('key');
      const limits = {
        role: 'admin',
        scope: 'full',
        memberId: null,
        expiresAt: null,
        createdBy: null,
      } as const;
      const named = { id, accountId, name: id.replace('_', '-'), hash: id, createdAt: START };
      await apiKeys.create({ ...named, ...limits, ...over }, null);
      return id;
    };
    const plain = await keyOf({});
    const [over, theirs] = [await keyOf({ expiresAt: START }), await keyOf({ memberId: member.id })];
    const weak = [await keyOf({ role: 'member' }), await keyOf({ scope: 'read' })];
    const holds = { apiRole: 'admin', allowedBy: `member:${member.id}` } as const;
    const holder = await issue(bench.store, certificateOf(accountId, caId, holds));
    const stranger = await addAccount(bench.store);
    const [foreign] = (await members.list(stranger, { after: null, limit: 1 })).rows;
    const redeemed = async (createdBy: string) => {
      const token = { ...(await tokenOf(bench.store, accountId)), createdBy };
      await tokens.create(token, token.id);
      return (await tokens.redeem(token.id, certificateOf(accountId, caId))) !== null;
    };
    const nobody = [foreign?.id, newId('mem'), '', undefined].map((id) => `member:${id}`);
    for (const by of [
      ...nobody,
      ...[over, ...weak, newId('key')].map((id) => `api-key:${id}`),
      'operator',
      '',
    ])
      assert.equal(await redeemed(by), false, by);
    const makers = [
      `member:${member.id}`,
      `api-key:${theirs}`,
      `certificate:${holder.id}`,
      `api-key:${plain}`,
    ];
    const all = async () => Promise.all(makers.map(redeemed));
    assert.deepEqual(await all(), [true, true, true, true]);
    await members.changeRole(accountId, member.id, 'member');
    assert.deepEqual(await all(), [false, false, false, true]);
    await members.changeRole(accountId, member.id, 'admin');
    const of = { accountId, reason: 'unspecified', by: 'operator', at: START } as const;
    await certificates.revoke({ ...of, chosen: { id: holder.id } });
    assert.deepEqual(await all(), [true, true, false, true]);
    await members.remove(accountId, member.id);
    await apiKeys.remove(accountId, plain);
    assert.deepEqual(await all(), [false, false, false, false]);
  });

  test('certificateRequestTokens.removeUnusedOf() takes the unused tokens of one person in the account alone (contract 2.7)', async () => {
    await using bench = await benchOf(open);
    const { certificateRequestTokens: tokens } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const stranger = await addAccount(bench.store);
    const made = [];
    for (const [of, emailAddress] of [
      [accountId, 'Ann@Corp.com'],
      [accountId, 'ann@corp.com'],
      [accountId, 'bob@corp.com'],
      [stranger, 'ann@corp.com'],
    ] as const) {
      const token = { ...(await tokenOf(bench.store, of)), subject: subjectOf(emailAddress) };
      await tokens.create(token, token.id);
      made.push(token);
    }
    const [first, used] = made;
    assert.ok(first && used);
    assert.ok(await tokens.redeem(used.id, certificateOf(accountId, caId)));
    const removed = await tokens.removeUnusedOf(accountId, 'ANN@corp.com');
    assert.deepEqual(
      removed.map(({ id }) => id),
      [first.id],
    );
    const left = await Promise.all(made.map(({ id, accountId: of }) => tokens.find(of, id)));
    assert.deepEqual(
      left.map((token) => token !== null),
      [false, true, true, true],
    );
  });

  test('certificates.revoke() revokes one or all of a person, once, and tells the gateways', async () => {
    await using bench = await benchOf(open);
    const { certificates, changes } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const made = [];
    for (const emailAddress of ['ann@corp.com', 'Ann@Corp.com', 'bob@corp.com'])
      made.push(
        await issue(bench.store, certificateOf(accountId, caId, { subject: subjectOf(emailAddress) })),
      );
    const before = await changes.latest();
    const none = await certificates.revocationState(caId);
    const of = { accountId, reason: 'unspecified', by: 'member:mem_1', at: START + 1 } as const;
    const [ann, , bob] = made;
    assert.ok(ann && bob);
    const stranger = await addAccount(bench.store);
    assert.deepEqual(await certificates.revoke({ ...of, accountId: stranger, chosen: { id: ann.id } }), []);
    assert.equal((await certificates.revoke({ ...of, chosen: { id: ann.id } })).length, 1);
    assert.deepEqual(await certificates.revoke({ ...of, chosen: { id: ann.id } }), []);
    const rest = await certificates.revoke({ ...of, chosen: { emailAddress: 'ANN@corp.com' } });
    assert.deepEqual(
      rest.map(({ id }) => id),
      [made[1]?.id],
    );
    const told = (await changes.since(before)).changes;
    assert.deepEqual(
      new Set(told.map(({ kind, id }) => `${kind} ${id}`)),
      new Set(made.slice(0, 2).map(({ id }) => `certificate ${id}`)),
    );
    const page = { now: START, after: null, limit: 9 };
    const listed = await certificates.revokedBy(caId, page);
    assert.deepEqual(
      new Set(listed.map(({ serial }) => serial)),
      new Set(made.slice(0, 2).map(({ serial }) => serial)),
    );
    assert.notEqual(await certificates.revocationState(caId), none);
    const [first] = listed;
    assert.deepEqual(await certificates.revokedBy(caId, { ...page, limit: 1 }), [first]);
    assert.deepEqual(
      await certificates.revokedBy(caId, { ...page, after: first?.id ?? '' }),
      listed.slice(1),
    );
    assert.deepEqual(await certificates.revokedBy(caId, { ...page, now: bob.notAfter }), []);
    assert.deepEqual(serials(await certificates.allRevoked(page)), serials(listed));
    assert.deepEqual(
      serials(await certificates.allRevoked({ ...page, after: first?.id ?? '', limit: 1 })),
      serials(listed.slice(1)),
    );
    assert.deepEqual(await certificates.allRevoked({ ...page, now: bob.notAfter }), []);
    assert.deepEqual(await certificates.revokedAmong([ann.id, bob.id]), [
      { id: ann.id, caId, serial: ann.serial, notAfter: ann.notAfter },
    ]);
    const states = async (state: 'living' | 'revoked' | 'expired', now = START) =>
      (await certificates.list({ ...queryOf(accountId), state, now })).certificates.length;
    assert.deepEqual([await states('living'), await states('revoked'), await states('expired')], [1, 2, 0]);
    assert.equal(await states('expired', bob.notAfter), 3);
  });

  test('certificates.renew() renews none that is revoked, also when that happens at the same time', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { accountId, caId } = await addCa(bench.store);
    for (let round = 0; round < 10; round++) {
      const subject = subjectOf(`p${round}@corp.com`);
      const old = await issue(bench.store, certificateOf(accountId, caId, { subject }));
      const renewed = certificateOf(accountId, caId, { subject, renewedFrom: old.id });
      const chosen = { emailAddress: subject.emailAddress ?? '' };
      const of = { accountId, reason: 'unspecified', by: 'operator', at: START + 1 } as const;
      await Promise.all([
        bench.store.certificates.renew(renewed, START),
        other.certificates.revoke({ ...of, chosen }),
      ]);
      const living = { ...queryOf(accountId), emailAddress: chosen.emailAddress, state: 'living' } as const;
      assert.deepEqual((await bench.store.certificates.list(living)).certificates, []);
      assert.equal(await bench.store.certificates.renew({ ...renewed, ...namesOf() }, START), null);
    }
  });

  test('certificates.revoke() of one takes what was renewed from it along, unless it is superseded', async () => {
    await using bench = await benchOf(open);
    const { certificates } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const of = { accountId, by: 'operator', at: START + 1 } as const;
    for (const reason of ['superseded', 'unspecified'] as const) {
      const first = await issue(bench.store, certificateOf(accountId, caId));
      const second = await certificates.renew(
        certificateOf(accountId, caId, { renewedFrom: first.id }),
        START,
      );
      const third = await certificates.renew(
        certificateOf(accountId, caId, { renewedFrom: second?.id ?? null }),
        START,
      );
      const line = [first.id, second?.id, third?.id];
      await certificates.revoke({ ...of, chosen: { id: second?.id ?? first.id }, reason: 'superseded' });
      const revoked = await certificates.revoke({ ...of, chosen: { id: first.id }, reason });
      const ids = revoked.map(({ id }) => id);
      // Through the one that was revoked before.
      assert.deepEqual(ids, reason === 'superseded' ? [first.id] : [line[0], line[2]]);
    }
  });

  test('certificates.revoke() for a compromised key takes every certificate of that key, and refuses the key from then on', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const { accountId, caId } = await addCa(store);
    const stranger = await addCa(store);
    const of = (keyHash: string, over: Partial<Certificate> = {}) =>
      issue(store, certificateOf(accountId, caId, { keyHash, ...over }));
    const before = await of('stolen');
    const chosen = await of('stolen', { apiRole: 'admin' });
    const other = await of('other');
    const elsewhere = await issue(
      store,
      certificateOf(stranger.accountId, stranger.caId, { keyHash: 'stolen' }),
    );
    // With its own key, and then with one of whoever had the stolen one.
    const renewed = await store.certificates.renew(
      certificateOf(accountId, caId, { keyHash: 'thief', renewedFrom: before.id }),
      START,
    );
    // Issued for a token of the stolen certificate, renewed, and what that one's token was for.
    const made = await of('made', { allowedBy: `certificate:${chosen.id}` });
    const remade = await store.certificates.renew(
      certificateOf(accountId, caId, { keyHash: 'remade', renewedFrom: made.id }),
      START,
    );
    const revoked = await store.certificates.revoke({
      accountId,
      chosen: { id: chosen.id },
      reason: 'key_compromise',
      by: 'operator',
      at: START + 1,
    });
    assert.deepEqual(
      new Set(revoked.map(({ id }) => id)),
      new Set([chosen.id, before.id, renewed?.id, made.id, remade?.id]),
    );
    const living = { ...queryOf(accountId), state: 'living' } as const;
    assert.deepEqual(
      (await store.certificates.list(living)).certificates.map(({ id }) => id),
      [other.id],
    );
    assert.equal((await store.certificates.find(stranger.accountId, elsewhere.id))?.revokedAt, null);
    await assert.rejects(of('stolen'), { code: 'csr_refused', message: /for a compromised key/ });
    const renewal = certificateOf(accountId, caId, { keyHash: 'stolen', renewedFrom: other.id });
    await assert.rejects(store.certificates.renew(renewal, START), { code: 'csr_refused' });
    // Another account cannot be told what to trust by this one, nor this one by another.
    const theirs = { keyHash: 'stolen' };
    await issue(store, certificateOf(stranger.accountId, stranger.caId, theirs));
    await of('thief');
  });

  test('certificates.revoke() for a compromised key counts for one that was revoked or is over, and for all of a person', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const { accountId, caId } = await addCa(store);
    const of = (over: Partial<Certificate>) => issue(store, certificateOf(accountId, caId, over));
    const past = { notAfter: START } as const;
    const over = await of({ keyHash: 'over', ...past });
    const gone = await of({ keyHash: 'gone' });
    const by = { accountId, by: 'operator', at: START + 1 } as const;
    await store.certificates.revoke({ ...by, chosen: { id: gone.id }, reason: 'superseded' });
    const living = [await of({ keyHash: 'over' }), await of({ keyHash: 'gone' })];
    for (const [index, { id }] of [over, gone].entries()) {
      const revoked = await store.certificates.revoke({ ...by, chosen: { id }, reason: 'key_compromise' });
      assert.deepEqual(
        revoked.map((each) => each.id),
        [living[index]?.id],
      );
    }
    const ann = subjectOf('ann@elsewhere.test');
    const hers = await of({ keyHash: 'hers', subject: ann });
    const lent = await of({ keyHash: 'hers' });
    const all = { chosen: { emailAddress: 'ANN@elsewhere.test' }, reason: 'key_compromise' } as const;
    const revoked = await store.certificates.revoke({ ...by, ...all });
    assert.deepEqual(new Set(revoked.map(({ id }) => id)), new Set([hers.id, lent.id]));
    for (const keyHash of ['over', 'gone', 'hers'])
      await assert.rejects(of({ keyHash }), { code: 'csr_refused' });
  });

  test('certificates.revoke() by a holder takes what is theirs of a compromised key, and marks a key that is nobody else’s', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const { accountId, caId } = await addCa(store);
    const of = (email: string) =>
      issue(store, certificateOf(accountId, caId, { keyHash: 'shared', subject: subjectOf(email) }));
    const anns = await of('ann@elsewhere.test');
    const eves = [await of('Eve@elsewhere.test'), await of('eve@elsewhere.test')];
    const revoke = async (id: CertificateId, within: string) => {
      const by = { accountId, reason: 'key_compromise', by: 'holder', at: START + 1 } as const;
      const revoked = await store.certificates.revoke({ ...by, chosen: { id, within } });
      return new Set(revoked.map((each) => each.id));
    };
    const chosen = eves[0]?.id ?? anns.id;
    assert.deepEqual(await revoke(chosen, 'EVE@elsewhere.test'), new Set(eves.map(({ id }) => id)));
    assert.equal((await store.certificates.find(accountId, anns.id))?.revokedAt, null);
    const next = await of('ann@elsewhere.test');
    assert.deepEqual(await revoke(anns.id, 'ann@elsewhere.test'), new Set([anns.id, next.id]));
    await assert.rejects(of('ann@elsewhere.test'), { code: 'csr_refused' });
  });

  test('certificates.revoke() for a compromised key leaves none that was issued at the same moment', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { accountId, caId } = await addCa(bench.store);
    for (let round = 0; round < 10; round++) {
      const keyHash = `key-${round}`;
      const first = await issue(bench.store, certificateOf(accountId, caId, { keyHash }));
      const fresh = () => certificateOf(accountId, caId, { keyHash });
      await Promise.allSettled([
        issue(bench.store, fresh()),
        other.certificates.revoke({
          accountId,
          chosen: { id: first.id },
          reason: 'key_compromise',
          by: 'operator',
          at: START + 1,
        }),
        issue(other, fresh()),
        bench.store.certificates.renew({ ...fresh(), renewedFrom: first.id }, START),
      ]);
      const living = await bench.store.certificates.list({ ...queryOf(accountId), state: 'living' });
      assert.deepEqual(
        living.certificates.map((each) => each.keyHash),
        [],
      );
    }
  });

  test('certificates.renew() answers the same key with the same certificate for a while, also at the same time', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { accountId, caId } = await addCa(bench.store);
    const old = await issue(bench.store, certificateOf(accountId, caId));
    const renew = (over: Partial<Certificate> = {}, since = START - 1) => {
      const { certificates } = over.keyHash === undefined ? bench.store : other;
      return certificates.renew(certificateOf(accountId, caId, { renewedFrom: old.id, ...over }), since);
    };
    const both = await Promise.all([renew(), renew({ keyHash: 'key-hash' }), renew(), renew()]);
    assert.equal(new Set(both.map((each) => each?.id)).size, 1);
    const [first] = both;
    assert.ok(first);
    const elsewhere = await renew({ keyHash: 'other' });
    assert.notEqual(elsewhere?.id, first.id);
    const later = await renew({}, START);
    assert.ok(later !== null && later.id !== first.id);
    const of = { accountId, reason: 'unspecified', by: 'operator', at: START + 1 } as const;
    for (const { id } of [first, later]) await bench.store.certificates.revoke({ ...of, chosen: { id } });
    const fresh = await renew();
    assert.ok(fresh !== null && fresh.id !== first.id && fresh.id !== later.id);
    for (let count = 4; count < 20; count++) await renew({}, START);
    await assert.rejects(renew({}, START), { code: 'rate_limited' });
  });

  test('cas.noteEnding() tells once, a year ahead, of each authority that issues, whoever tries at the same time', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { cas, audit, webhooks } = bench.store;
    const accounts: AccountId[] = [];
    // More than go into one write.
    for (let count = 0; count < 60; count++) accounts.push((await addCa(bench.store)).accountId);
    const [accountId, rotating] = accounts;
    assert.ok(accountId && rotating);
    const end = caOf(accountId).ca.notAfter;
    // What took its place ends far later; that which issues nothing more needs nobody.
    const later = caOf(rotating, START + HOUR_MS);
    await cas.put({ ...later, ca: { ...later.ca, notAfter: end + 2 * YEAR_MS } }, false);
    const webhook = webhookOf(accountId, { kinds: ['ca.expiring'] });
    await webhooks.create({ webhook, secret: new Secret('whs_one'), most: 1 });
    const tell = async (at: number) => {
      const both = await Promise.all([cas.noteEnding(at), other.cas.noteEnding(at)]);
      return both[0] + both[1];
    };
    assert.equal(await tell(end - YEAR_MS - 1), 0);
    assert.equal(await tell(end - YEAR_MS), 59);
    assert.equal(await tell(end - YEAR_MS + HOUR_MS), 0);
    assert.equal(await tell(end + 3 * YEAR_MS), 1);
    const filter = {
      email: null,
      shareId: null,
      provider: null,
      actor: null,
      result: null,
      text: null,
      since: null,
      until: null,
    };
    const { events } = await audit.page({
      accountId,
      filter: { ...filter, kinds: ['ca.expiring'] },
      order: 'newest',
      from: null,
      limit: 10,
    });
    const [issuing] = await cas.list(accountId, START);
    assert.deepEqual(
      events.map(({ at, reason }) => [at, reason]),
      [[end - YEAR_MS, `${issuing?.id} ${new Date(end).toISOString()}`]],
    );
    assert.equal((await webhooks.find(accountId, webhook.id))?.waiting, 1);
  });

  test('certificates.noteExpiring() tells once of each notice, whoever tries at the same time', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { accountId, caId } = await addCa(bench.store);
    const over = { notAfter: days(30) };
    const made = [];
    for (let count = 0; count < 120; count++)
      made.push(await issue(bench.store, certificateOf(accountId, caId, over)));
    const [revoked, renewed] = made;
    assert.ok(revoked && renewed);
    const of = { accountId, reason: 'unspecified', by: 'operator', at: START } as const;
    await bench.store.certificates.revoke({ ...of, chosen: { id: revoked.id } });
    await bench.store.certificates.renew(
      certificateOf(accountId, caId, { renewedFrom: renewed.id, notAfter: days(400) }),
      START,
    );
    const tell = async (at: number) => {
      const both = [bench.store, other].map(({ certificates }) => certificates.noteExpiring(at));
      return (await Promise.all(both)).reduce((sum, told) => sum + told, 0);
    };
    const webhook = webhookOf(accountId, { kinds: ['certificate.expiring'] });
    await bench.store.webhooks.create({ webhook, secret: new Secret('whs_one'), most: 1 });
    assert.equal(await tell(days(19)), 0);
    assert.equal(await tell(days(20)), 118);
    assert.equal(await tell(days(20)), 0);
    assert.equal(await tell(days(23)), 118);
    // Two that were missed are told of as one; nobody is told of what is over.
    assert.equal(await tell(days(29)), 118);
    assert.equal(await tell(days(31)), 0);
    const filter = {
      email: null,
      shareId: null,
      provider: null,
      actor: null,
      result: null,
      text: null,
      since: null,
      until: null,
    };
    const { events } = await bench.store.audit.page({
      accountId,
      filter: { ...filter, kinds: ['certificate.expiring'] },
      order: 'newest',
      from: null,
      limit: 1_000,
    });
    assert.equal(events.length, 3 * 118);
    assert.equal((await bench.store.webhooks.find(accountId, webhook.id))?.waiting, events.length);
    const told = Map.groupBy(events, ({ reason }) => reason);
    assert.equal(told.get(`${made[2]?.id} ${new Date(days(30)).toISOString()}`)?.length, 3);
    assert.equal(events[0]?.email, 'ann@corp.com');
  });

  test('certificates.list() finds by part of the name, the subject, the serial and the fingerprint', async () => {
    await using bench = await benchOf(open);
    const { accountId, caId } = await addCa(bench.store);
    const subject = {
      commonName: 'Ann "100%" O_Neill',
      organization: 'Corp',
      organizationalUnit: null,
      emailAddress: 'ann@corp.com',
    };
    const one = certificateOf(accountId, caId, { name: 'Her laptop', subject });
    await issue(bench.store, one);
    const others = { ...subject, commonName: 'bob', organization: null, emailAddress: null };
    await issue(bench.store, certificateOf(accountId, caId, { name: 'robot', subject: others }));
    const pairs = one.fingerprint.slice(0, 20).replace(/..(?=.)/g, '$&:');
    const { certificates } = bench.store;
    const found = async (text: string) =>
      (await certificates.list({ ...queryOf(accountId), text })).certificates.map(({ id }) => id);
    for (const text of [
      'LAPTOP',
      'ann "100%"',
      'o_neill',
      'corp',
      'NN@COrp',
      one.serial.slice(3, 20),
      one.serial.toLowerCase(),
      pairs,
    ])
      assert.deepEqual(await found(text), [one.id], text);
    // Neither wildcards nor what the subject's fields are called.
    for (const text of ['a%laptop', 'commonName', 'organization', 'null', '!', 'her_laptop'])
      assert.deepEqual(await found(text), [], text);
    const stranger = await addAccount(bench.store);
    const theirs = await certificates.list({ ...queryOf(stranger), text: 'laptop' });
    assert.deepEqual(theirs, { certificates: [], next: null });
  });

  test('certificates.list() of what goes back to one token', async () => {
    await using bench = await benchOf(open);
    const { accountId, caId } = await addCa(bench.store);
    const tokenId = newId('crq');
    const one = await issue(bench.store, certificateOf(accountId, caId, { tokenId }));
    await issue(bench.store, certificateOf(accountId, caId));
    const { certificates: found } = await bench.store.certificates.list({
      ...queryOf(accountId),
      tokenId: one.tokenId,
    });
    assert.deepEqual(
      found.map(({ id }) => id),
      [one.id],
    );
  });

  test('certificates.list() of those that are over soon', async () => {
    await using bench = await benchOf(open);
    const { accountId, caId } = await addCa(bench.store);
    const soon = await issue(bench.store, certificateOf(accountId, caId, { notAfter: START + HOUR_MS }));
    await issue(bench.store, certificateOf(accountId, caId, { notAfter: START + 3 * HOUR_MS }));
    const query = { ...queryOf(accountId), state: 'living' as const, endsBefore: START + 2 * HOUR_MS };
    assert.deepEqual((await bench.store.certificates.list(query)).certificates, [soon]);
  });

  test('revocationLists give greater numbers each time, and keep the newest list (RFC 5280 5.2.3)', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { caId } = await addCa(bench.store);
    const { revocationLists: lists } = bench.store;
    const takes = Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? lists : other.revocationLists).nextNumber(caId, START),
    );
    const numbers = (await Promise.all(takes)).toSorted((a, b) => a - b);
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => START + index),
    );
    assert.equal(await lists.nextNumber(caId, START + 100), START + 100);
    assert.deepEqual([await lists.newestNumber(caId), await lists.newest(caId)], [0, null]);
    const list = { state: '1', thisUpdate: START, nextUpdate: START + 1, der: Buffer.of(48, 0) };
    assert.equal(await lists.publish(caId, { ...list, number: 5 }), true);
    assert.equal(await other.revocationLists.publish(caId, { ...list, number: 4 }), false);
    assert.equal(await other.revocationLists.publish(caId, { ...list, number: 6, state: '2' }), true);
    assert.equal(await lists.newestNumber(caId), 6);
    assert.deepEqual(await lists.newest(caId), { ...list, number: 6, state: '2' });
  });

  test('certificates.withSerials() has those that are known, of any account, and one of each', async () => {
    await using bench = await benchOf(open);
    const { certificates } = bench.store;
    const [here, there] = [await addCa(bench.store), await addCa(bench.store)];
    const mine = await issue(bench.store, certificateOf(here.accountId, here.caId));
    const theirs = await issue(bench.store, certificateOf(there.accountId, there.caId));
    const unknown = Array.from({ length: 1_001 }, (_, count) => `AA${String(count).padStart(6, '0')}`);
    const found = await certificates.withSerials([mine.serial, ...unknown, theirs.serial]);
    assert.deepEqual(
      found,
      [mine, theirs].map(({ id, accountId, serial, subject }) => ({
        id,
        accountId,
        serial,
        email: subject.emailAddress,
      })),
    );
    assert.deepEqual(await certificates.withSerials([]), []);
  });

  test('certificates.seen() keeps the last use, to the minute', async () => {
    await using bench = await benchOf(open);
    const { certificates } = bench.store;
    const { accountId, caId } = await addCa(bench.store);
    const { fingerprint, id } = await issue(bench.store, certificateOf(accountId, caId));
    const use = { fingerprint, on: 'hello', from: '192.0.2.1' };
    await certificates.seen([{ ...use, at: START }]);
    await certificates.seen([{ ...use, at: START + 1, from: '192.0.2.2' }]);
    const { lastUsedAt, lastUsedOn, lastUsedFrom } = (await certificates.find(accountId, id)) ?? {};
    assert.deepEqual([lastUsedAt, lastUsedOn, lastUsedFrom], [START, 'hello', '192.0.2.1']);
    await certificates.seen([{ ...use, at: START + 60_000 }]);
    assert.equal((await certificates.findByFingerprint(fingerprint))?.lastUsedAt, START + 60_000);
  });
}

function serials(rows: readonly { readonly serial: string }[]): readonly string[] {
  return rows.map(({ serial }) => serial);
}

function days(count: number): number {
  return START + count * 24 * HOUR_MS;
}

export async function addCa(store: Store): Promise<{ accountId: AccountId; caId: AccountCaId }> {
  const accountId = await addAccount(store);
  const { id } = await store.cas.put(caOf(accountId), true);
  return { accountId, caId: id };
}

export async function issue(store: Store, certificate: Certificate) {
  const token = await tokenOf(store, certificate.accountId);
  await store.certificateRequestTokens.create(token, newId('crq'));
  const kept = await store.certificateRequestTokens.redeem(token.id, certificate);
  assert.ok(kept);
  return kept;
}

function subjectOf(emailAddress: string) {
  return { commonName: 'ann', organization: 'Corp', organizationalUnit: null, emailAddress };
}

/** As the account's first key makes it. */
export async function tokenOf({ apiKeys }: Store, accountId: AccountId): Promise<NewToken> {
  const [maker] = (await apiKeys.list(accountId, { after: null, limit: 1 })).rows;
  return {
    id: newId('crq'),
    accountId,
    start: 'crt_9fK2xA',
    name: 'ann’s laptop',
    subject: subjectOf('ann@corp.com'),
    validityMs: HOUR_MS,
    apiRole: null,
    createdAt: START,
    createdBy: `api-key:${maker?.id}`,
    expiresAt: START + HOUR_MS,
    renewableMs: null,
  };
}

function namesOf() {
  const name = randomBytes(16).toString('hex');
  return { id: newId('cer'), serial: name.toUpperCase(), fingerprint: name };
}

export function certificateOf(
  accountId: AccountId,
  caId: AccountCaId,
  over: Partial<Certificate> = {},
): Certificate {
  return {
    ...namesOf(),
    accountId,
    caId,
    name: 'ann’s laptop',
    subject: subjectOf('ann@corp.com'),
    keyHash: 'key-hash',
    der: Buffer.of(48, 1, 0),
    notBefore: START,
    notAfter: START + 100 * HOUR_MS,
    validityMs: 100 * HOUR_MS,
    apiRole: null,
    allowedBy: 'member:mem_1',
    tokenId: null,
    renewedFrom: null,
    createdAt: START,
    lineSince: START,
    renewableMs: null,
    ...over,
  };
}

/** All of an account. */
export function queryOf(accountId: AccountId): CertificateQuery {
  return {
    accountId,
    emailAddress: null,
    text: null,
    tokenId: null,
    state: null,
    endsBefore: null,
    now: START,
    after: null,
    limit: 100,
  };
}

const YEAR_MS = 365 * 24 * HOUR_MS;
