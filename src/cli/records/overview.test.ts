// `doorward overview`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { noFigures } from '../../domain/activity.ts';
import { Secret } from '../../domain/secret.ts';
import { main } from '../main.ts';

test('doorward overview tells the figures to people, and to programs as they are', async () => {
  await using control = await startControl();
  const json = { name: 'laptop', tunnel: 'reserved', open: true };
  assert.equal((await control.call({ path: '/v1/shares', json })).status, 201);
  const share = await control.store.shares.find(control.alice.id, 'laptop');
  assert.ok(share);
  const counts = { requests: 9, answered: 0, refused: 3, faulted: 2 };
  await control.store.activity.add(Date.now(), [
    { ...noFigures(), shareId: share.id, accountId: control.alice.id, ...counts },
  ]);
  const told = await overview(control);
  assert.equal(told.code, 0, told.err);
  assert.equal(
    told.out,
    [
      'shares        0 up, 1 down, 0 off',
      '              laptop: no agent: none has served it yet',
      'requests      9 in 24 hours, 3 refused, 2 unanswered',
      'logins        none',
      'sessions      0 active',
      'certificates  0, 0 of them expire within 7 days',
      '',
    ].join('\n'),
  );
  const { document } = await control.call({ path: '/v1/overview?hours=1' });
  assert.deepEqual(JSON.parse((await overview(control, '--json', '--hours', '1')).out), document);
});

test('doorward overview --hours wants a number that is kept (DESIGN 2.4)', async () => {
  await using control = await startControl();
  for (const hours of ['x', '0', '169']) {
    const { code, out } = await overview(control, '--hours', hours);
    assert.deepEqual([code, out], [2, ''], hours);
  }
});

async function overview(control: TestControl, ...words: readonly string[]) {
  let out = '';
  let err = '';
  const code = await main(['overview', '--url', control.url.origin, ...words], {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    env: { HOME: '/nonexistent', DOORWARD_API_KEY: control.alice.apiKey.reveal() },
    readSecret: async () => new Secret(''),
  });
  return { code, out, err };
}
