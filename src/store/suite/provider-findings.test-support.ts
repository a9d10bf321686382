// The suite's part on what is kept of tests and trials of providers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountId } from '../../domain/id.ts';
import type { KeptFinding } from '../providers/findings.ts';
import { addAccount, benchOf, type OpenBench, START } from './bench.test-support.ts';

export function providerFindingsSuite(open: OpenBench): void {
  test('providerFindings.keep() keeps the last of each kind within its account, also of two at once', async () => {
    await using bench = await benchOf(open);
    const { providerFindings } = bench.store;
    const other = await bench.again();
    const [one, two] = [await addAccount(bench.store), await addAccount(bench.store)];
    await providerFindings.keep(findingOf(one, { at: START + 2 }));
    await providerFindings.keep(findingOf(one, { kind: 'trial', email: 'ann@corp.com' }));
    await providerFindings.keep(findingOf(two, { settings: 'theirs' }));
    await Promise.all([
      // One that was made before it, and comes late, changes nothing.
      other.providerFindings.keep(findingOf(one, { at: START + 1, passed: false })),
      providerFindings.keep(findingOf(one, { at: START + 3, settings: 'now' })),
    ]);
    const found = await providerFindings.list(one);
    assert.deepEqual(
      found.map(({ kind, settings, at, passed, email }) => [kind, settings, at, passed, email]).toSorted(),
      [
        ['test', 'now', START + 3, true, null],
        ['trial', 'first', START, true, 'ann@corp.com'],
      ],
    );
    assert.deepEqual(
      (await providerFindings.list(two)).map(({ settings }) => settings),
      ['theirs'],
    );
  });

  test('providerFindings.list() tells those of one provider of the account alone, where it is named', async () => {
    await using bench = await benchOf(open);
    const { providerFindings } = bench.store;
    const [one, two] = [await addAccount(bench.store), await addAccount(bench.store)];
    await providerFindings.keep(findingOf(one, { kind: 'trial' }));
    await providerFindings.keep(findingOf(one, {}));
    await providerFindings.keep(findingOf(one, { provider: 'corp2' }));
    await providerFindings.keep(findingOf(two, {}));
    const found = await providerFindings.list(one, 'corp');
    assert.deepEqual(found.map(({ accountId, provider, kind }) => [accountId, provider, kind]).toSorted(), [
      [one, 'corp', 'test'],
      [one, 'corp', 'trial'],
    ]);
    assert.deepEqual(await providerFindings.list(two, 'corp2'), []);
  });
}

function findingOf(accountId: AccountId, over: Partial<KeptFinding>): KeptFinding {
  return {
    accountId,
    provider: 'corp',
    kind: 'test',
    settings: 'first',
    at: START,
    actor: 'operator',
    passed: true,
    email: null,
    reason: null,
    checks: [],
    ...over,
  };
}
