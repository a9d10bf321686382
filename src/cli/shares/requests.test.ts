// `doorward share requests` as a child process, against a control API whose workers the test plays.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { startDoorward } from '../../../test/support/doorward.ts';
import type { ShareRequest } from '../../domain/share-request.ts';
import { addShare } from '../../store/suite/bench.test-support.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

const REQUEST: ShareRequest = {
  requestId: 'req-1',
  at: Date.now(),
  method: 'GET',
  path: '/orders\u001b[2J',
  status: 200,
  authorized: false,
  durationMs: 12,
  who: 'ada@example.com',
  reason: null,
  aborted: false,
  address: '192.0.2.1',
};

function start(...words: string[]) {
  const child = startDoorward(['share', 'requests', ...words], {
    HOME: '/nonexistent',
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
  });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const until = async (what: RegExp, from: 'out' | 'err') => {
    while (!what.test(said[from])) await Promise.race([pause(20), closed.then(() => assert.fail(said.err))]);
  };
  return { child, said, closed, until };
}

test('share requests: a line each until Ctrl+C, as lines of JSON with --json; nothing steers the terminal', async () => {
  const share = await addShare(control.store, { accountId: control.alice.id, name: 'shown' });
  const [person, json] = [start('shown'), start(share.id, '--json')];
  for (const each of [person, json]) await each.until(/Watching /, 'err');
  const refused = { ...REQUEST, path: '/', status: 302, who: null, reason: 'login_required' };
  control.liveRequests.told([{ shareId: share.id, requests: [REQUEST, refused], skipped: 3 }]);
  await person.until(/more/, 'out');
  await json.until(/skipped/, 'out');
  for (const { child } of [person, json]) child.kill('SIGINT');
  for (const { closed } of [person, json]) assert.equal((await closed)[0], 0);
  const [good, bad, skipped] = person.said.out.split('\n');
  assert.match(good ?? '', /^\d\d:\d\d:\d\d {2}GET {5}\/orders\\x1b\[2J +200 +12 ms {2}ada@example\.com$/);
  assert.match(bad ?? '', /302 +12 ms {2}192\.0\.2\.1 {2}login_required$/);
  assert.equal(skipped, '… 3 more, too many to show');
  assert.ok(!json.said.out.includes('\u001b'));
  const lines = json.said.out.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => {
      const { event, path, who } = JSON.parse(line) as Record<string, unknown>;
      return { event, path, who };
    }),
    [
      { event: 'request', path: REQUEST.path, who: REQUEST.who },
      { event: 'request', path: '/', who: null },
      { event: 'skipped', path: undefined, who: undefined },
    ],
  );
});

test('share requests: what it may not watch, or watches no longer, is told with its exit code', async () => {
  const unknown = start('nobodys');
  assert.equal((await unknown.closed)[0], 1);
  assert.match(unknown.said.err, /Cannot find share "nobodys"/);
  const { id } = await addShare(control.store, { accountId: control.alice.id, name: 'going' });
  const going = start('going');
  await going.until(/Watching /, 'err');
  await control.store.shares.remove(control.alice.id, id);
  assert.equal((await going.closed)[0], 1);
  assert.match(going.said.err, /Cannot find share/);
});
