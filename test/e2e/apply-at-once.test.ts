// `POST /v1/apply` at two control planes on one database: at once with another, and with a change of one
// share. What comes out is what one of them meant, never a mixture; and how a person is asked before.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openStore as openOther } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { AccountState, ApplyAnswer } from '../../src/wire/state.ts';
import { addAccountWithKey, startControlOn, type TestAccount, type TestControl } from '../support/control.ts';
import { compiled } from '../support/front-door.ts';
import { doorwardInTerminal } from '../support/in-terminal.ts';
import { onEngines } from '../support/on-engines.ts';
import type { PostgresTestStore } from '../support/postgres.ts';
import type { TestStore } from '../support/store.ts';

type Control = TestControl<Store & AsyncDisposable>;

onEngines('apply at two control planes', ({ openStore }) => {
  const undo: Control[] = [];
  let planes: readonly [Control, Control];
  before(async () => {
    const store = (await openStore()) as TestStore | PostgresTestStore;
    const first = await startControlOn(store);
    undo.push(first);
    const second = await startControlOn(await besides(store), { beside: first });
    undo.push(second);
    planes = [first, second];
  });
  after(async () => {
    for (const plane of undo.toReversed()) await plane[Symbol.asyncDispose]();
  });

  const account = (name: string) => addAccountWithKey(planes[0].store, name);
  const send = (at: 0 | 1, as: TestAccount, json: object) => planes[at].call({ path: '/v1/apply', as, json });
  const applied = async (as: TestAccount, json: object): Promise<ApplyAnswer> => {
    const { status, document } = await send(0, as, json);
    assert.equal(status, 200, JSON.stringify(document));
    return document as unknown as ApplyAnswer;
  };
  const originsOf = async (as: TestAccount): Promise<Readonly<Record<string, string>>> => {
    const { document } = await planes[1].call({ path: '/v1/state', as });
    const { shares = [] } = document as AccountState;
    return Object.fromEntries(shares.map(({ name, allowOrigins }) => [name, allowOrigins?.join() ?? '']));
  };

  test('of two at once that know each other’s state one is applied, and the other refused', async () => {
    const racing = await account('racing');
    for (let round = 0; round < ROUNDS; round++) {
      await applied(racing, { state: stateOf('racing', 'https://none.example') });
      const states = [stateOf('racing', 'https://a.example'), stateOf('racing', 'https://b.example')];
      const plans: string[] = [];
      for (const state of states) plans.push((await applied(racing, { state, dryRun: true })).plan);
      const answers = await Promise.all(
        ([0, 1] as const).map((at) => send(at, racing, { state: states[at], plan: plans[at] })),
      );
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412]);
      const [winner] = answers[0]?.status === 200 ? ['https://a.example'] : ['https://b.example'];
      assert.deepEqual(new Set(Object.values(await originsOf(racing))), new Set([winner]));
    }
  });

  test('two at once that know nothing of each other leave the state of one', async () => {
    const blind = await account('blind');
    const origins = ['https://a.example', 'https://b.example'];
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all(
        ([0, 1] as const).map((at) => send(at, blind, { state: stateOf('blind', origins[at] ?? '') })),
      );
      const won = answers.filter(({ status }) => status === 200).length;
      for (const { status } of answers) assert.ok([200, 412].includes(status), String(status));
      const found = new Set(Object.values(await originsOf(blind)));
      assert.ok(won > 0 && found.size === 1, `${won} applied: ${[...found].join(' ')}`);
    }
  });

  test('a change of one share at the same moment is neither lost nor mixed in', async () => {
    const changed = await account('changed');
    for (let round = 0; round < ROUNDS; round++) {
      await applied(changed, { state: stateOf('changed', 'https://none.example') });
      const state = stateOf('changed', 'https://a.example');
      const { plan } = await applied(changed, { state, dryRun: true });
      const path = '/v1/shares/changed-5';
      const json = { allowOrigins: ['https://own.example'] };
      const [ofApply, ofChange] = await Promise.all([
        send(0, changed, { state, plan }),
        planes[1].call({ method: 'PATCH', path, as: changed, json }),
      ]);
      const { 'changed-5': own, ...others } = await originsOf(changed);
      assert.equal(ofChange.status, 200, JSON.stringify(ofChange.document));
      assert.equal(own, 'https://own.example');
      assert.ok([200, 412].includes(ofApply.status), String(ofApply.status));
      const expected = ofApply.status === 200 ? 'https://a.example' : 'https://none.example';
      assert.deepEqual(new Set(Object.values(others)), new Set([expected]));
    }
  });

  test('doorward apply asks on a terminal: n changes nothing, y applies, --yes does not ask', async (t) => {
    const asked = await account('asked');
    const folder = await mkdtemp(join(tmpdir(), 'doorward-apply-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'state.yaml');
    await writeFile(file, 'shares:\n  - { name: asked, target: "http://127.0.0.1:3000", open: true }\n');
    const env = {
      ...compiled(),
      HOME: folder,
      DOORWARD_URL: planes[0].url.origin,
      DOORWARD_API_KEY: asked.apiKey.reveal(),
    };
    const question = /Apply this change\? \[y\/N\] /;
    const answered = (typed: string) =>
      doorwardInTerminal(['apply', '-f', file], { env, answers: [{ asked: question, typed }] });
    const no = await answered('n\n');
    assert.match(no.shown, /^\+ create share asked$/m);
    assert.match(no.shown, /Cannot continue without confirmation: nothing was changed/);
    assert.notEqual(no.code, 0);
    assert.deepEqual(await originsOf(asked), {});
    const yes = await answered('y\n');
    assert.equal(yes.code, 0, yes.shown);
    assert.deepEqual(Object.keys(await originsOf(asked)), ['asked']);
    await writeFile(file, 'shares: []\n');
    const unasked = await doorwardInTerminal(['apply', '-f', file, '--prune', '--yes'], { env });
    assert.equal(unasked.code, 0, unasked.shown);
    assert.doesNotMatch(unasked.shown, /\[y\/N\]/);
    assert.deepEqual(await originsOf(asked), {});
  });
});

/** The same tables as another process opens them. */
async function besides(store: TestStore | PostgresTestStore): Promise<Store & AsyncDisposable> {
  const engine =
    'sqliteFile' in store
      ? ({ kind: 'sqlite', file: store.sqliteFile } as const)
      : ({ kind: 'postgres', url: store.url } as const);
  const other = await openOther({ engine, masterKey: store.masterKey, now: Date.now, exclusive: false });
  return { ...other, [Symbol.asyncDispose]: () => other.close() };
}

function stateOf(name: string, origin: string): AccountState {
  return {
    shares: Array.from({ length: 12 }, (_, index) => ({
      name: `${name}-${index}`,
      target: 'http://127.0.0.1:3000',
      open: true,
      allowOrigins: [origin],
    })),
  };
}

const ROUNDS = 4;
