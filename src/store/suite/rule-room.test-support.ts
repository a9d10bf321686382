// The suite's part on how much of rules an account's shares may have together.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareRow } from '../shares/share.ts';
import { addAccount, addShare, benchOf, type OpenBench, shareOf, START } from './bench.test-support.ts';

export function ruleRoomSuite(open: OpenBench): void {
  test('shares.create() and modify() refuse rules that all shares of the account have no room for', async () => {
    await using bench = await benchOf(open);
    const { shares } = bench.store;
    const accountId = await addAccount(bench.store);
    await addShare(bench.store, rules(400));
    const one = await addShare(bench.store, { accountId, ...rules(100) });
    const tooLarge = { code: 'rules_too_large' };
    const mostRules = 320;
    await assert.rejects(shares.create(shareOf(accountId, rules(250)), { mostRules }), tooLarge);
    assert.equal((await shares.count(accountId)).total, 1);
    const two = shareOf(accountId, rules(150));
    await shares.create(two, { mostRules });
    const change = (settings: Partial<ShareRow>) =>
      shares.modify({ ...one, settings: () => settings, mostRules, at: START });
    for (const settings of [
      rules(200),
      { denyEmails: ['d'.repeat(100)] },
      { allowGroups: ['g'.repeat(100)] },
      { oauthEmailAddressPatterns: ['p'.repeat(100)] },
    ])
      await assert.rejects(change(settings), tooLarge);
    assert.deepEqual((await shares.findById(one.id))?.rules, one.rules);
    // Whoever has too much already may have less, and change what is no rule.
    await shares.modify({ ...two, settings: () => rules(500), at: START });
    for (const settings of [{ enabled: false }, rules(90), { rules: [] }, { denyEmails: [] }])
      assert.ok(await change(settings));
    await assert.rejects(change(rules(20)), tooLarge);
  });

  test('changes of one transaction count together, and what is removed in it makes room', async () => {
    await using bench = await benchOf(open);
    const { shares, together } = bench.store;
    const accountId = await addAccount(bench.store);
    const tooLarge = { code: 'rules_too_large' };
    const mostRules = 320;
    const create = (size: number) => {
      const share = shareOf(accountId, rules(size));
      return shares.create(share, { mostRules }).then(() => share);
    };
    await assert.rejects(
      together(async () => {
        await create(150);
        await create(100);
        await create(100);
      }),
      tooLarge,
    );
    assert.equal((await shares.count(accountId)).total, 0);
    await together(async () => {
      const gone = await create(150);
      await shares.remove(accountId, gone.id);
      await create(150);
      await create(100);
    });
    assert.equal((await shares.count(accountId)).total, 2);
    await assert.rejects(
      together(() => create(100)),
      tooLarge,
    );
  });

  test('of changes at once that have room one at a time, one is kept', async () => {
    await using bench = await benchOf(open);
    const other = await bench.again();
    const { shares } = bench.store;
    for (let round = 0; round < ROUNDS; round++) {
      const accountId = await addAccount(bench.store);
      const there = await addShare(bench.store, { accountId, ...rules(1) });
      const settings = () => rules(200);
      const answers = await Promise.allSettled([
        shares.modify({ ...there, settings, mostRules: 300, at: START }),
        other.shares.create(shareOf(accountId, rules(200)), { mostRules: 300 }),
        shares.create(shareOf(accountId, rules(200)), { mostRules: 300 }),
      ]);
      const kept = answers.filter(({ status }) => status === 'fulfilled');
      assert.equal(kept.length, 1, `round ${round}`);
    }
  });
}

/** About so many characters, and no more of what compiles to rules. */
function rules(size: number): Partial<ShareRow> {
  return {
    oauthEmailAddressPatterns: [],
    allowPaths: [],
    rules: [{ allow: { tokens: ['t'.repeat(size)] } }],
  };
}

/** Enough that, without the lock, some round on PostgreSQL keeps two. */
const ROUNDS = 25;
