import assert from 'node:assert/strict';
import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { freePort } from '../../test/support/free-port.ts';
import { onEngines } from '../../test/support/on-engines.ts';
import { addShare } from '../../test/support/store.ts';
import { createAddressList } from '../domain/address-list.ts';
import { createNameTurns } from './name-turns.ts';
import { lookOnce, startTargetLook, takesConnections } from './target-look.ts';

const SILENT = { info() {}, warn() {}, error() {}, debug() {} };
const LOCAL = { ownListeners: [], directTargets: ['127.0.0.1'] };
const NEVER = new AbortController().signal;
const NOBODY = createNameTurns(() => Promise.reject(new Error('no such name')));
const UNENDED = { end: NEVER, names: NOBODY };

onEngines('looks at targets', (engine) => {
  test('lookOnce() finds which targets take no connection; list and overview say so until they do again (DESIGN "Calls out")', async (t) => {
    await using store = await engine.openStore();
    const { shares } = store;
    const [backend, closed] = [await listening(t), await freePort()];
    const { accountId } = await addShare(store, {
      name: 'sound',
      target: `http://127.0.0.1:${backend.port}`,
    });
    const gone = `http://127.0.0.1:${closed}`;
    await addShare(store, { accountId, name: 'gone', target: gone });
    await addShare(store, { accountId, name: 'twin', target: gone });
    await addShare(store, { accountId, name: 'off', target: gone, enabled: false });
    await addShare(store, { accountId, name: 'agents', target: null, tunnel: 'reserved' });
    // Never dialed: no address that the policy lets requests go to.
    await addShare(store, { accountId, name: 'metadata', target: 'http://169.254.169.254' });
    const other = await addShare(store, { name: 'others' });
    const deps = { shares, rules: () => LOCAL, log: SILENT, names: NOBODY };
    const failing = async () => {
      const filter = { text: null, provider: null, state: 'failing', now: Date.now() } as const;
      const { shares: found } = await shares.list(accountId, { after: null, limit: 50, filter });
      return found.map(({ name }) => name);
    };
    assert.deepEqual(await failing(), []);
    await lookOnce(deps, { after: null, signal: NEVER });
    assert.deepEqual(await failing(), ['gone', 'twin']);
    const { failing: count, down } = await shares.states(accountId, Date.now());
    assert.equal(count, 2);
    assert.deepEqual(
      down.filter(({ why }) => why === 'failing').map(({ name }) => name),
      ['gone', 'twin'],
    );
    // Long ago says nothing of now; nobody is told of another's.
    assert.equal((await shares.states(accountId, Date.now() + 4 * 60_000)).failing, 0);
    assert.ok(!(await shares.states(other.accountId, Date.now())).down.some(({ name }) => name === 'gone'));
    // Within the same half minute nobody else looks.
    await listening(t, closed);
    await lookOnce(deps, { after: null, signal: NEVER });
    assert.deepEqual(await failing(), ['gone', 'twin']);
    await shares.looked({ looked: [gone], silent: [] });
    assert.deepEqual(await failing(), []);
  });

  test('shares.targetsToLook() goes through all shares, some at a time, each target once', async () => {
    await using store = await engine.openStore();
    const { accountId } = await addShare(store, { target: 'http://127.0.0.1:1' });
    for (const target of ['http://127.0.0.1:2', 'http://127.0.0.1:1', 'http://127.0.0.1:3'])
      await addShare(store, { accountId, target });
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page === 0 || after !== null; page++) {
      const found: Awaited<ReturnType<typeof store.shares.targetsToLook>> = await store.shares.targetsToLook({
        after,
        most: 3,
      });
      seen.push(...found.targets);
      after = found.next;
    }
    assert.deepEqual(
      [...new Set(seen)].toSorted(),
      [1, 2, 3].map((port) => `http://127.0.0.1:${port}`),
    );
  });
});

test('takesConnections() sends nothing, and dials nothing that a request could not reach', async (t) => {
  const backend = await listening(t);
  const target = `http://127.0.0.1:${backend.port}`;
  const rules = { ownListeners: [], refused: 'backend_refused', unresolved: 'backend_down' } as const;
  const local = { ...rules, allow: createAddressList(['127.0.0.1']) };
  assert.equal(await takesConnections(target, local, UNENDED), true);
  const [socket] = backend.sockets;
  assert.ok(socket);
  if (!socket.readableEnded) await once(socket.resume(), 'end');
  assert.equal(socket.bytesRead, 0);
  assert.equal(await takesConnections(target, { ...rules, allow: createAddressList([]) }, UNENDED), null);
  const own = { ...local, ownListeners: [{ host: '127.0.0.1', port: backend.port }] };
  assert.equal(await takesConnections(target, own, UNENDED), null);
  assert.equal(backend.sockets.length, 1);
  assert.equal(await takesConnections('http://gone.example:80', local, UNENDED), false);
  assert.equal(await takesConnections(target, local, { ...UNENDED, end: AbortSignal.abort() }), null);
});

test('startTargetLook() looks every half a minute, one look at a time, until it is stopped', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let taken = 0;
  const shares = {
    takeLook: () => {
      taken++;
      return Promise.resolve(false);
    },
    targetsToLook: () => Promise.reject(new Error('not asked')),
    looked: () => Promise.reject(new Error('not asked')),
  };
  const stop = startTargetLook({
    shares,
    rules: () => ({ ownListeners: [], directTargets: [] }),
    log: SILENT,
  });
  for (let round = 1; round <= 2; round++) {
    t.mock.timers.tick(29_999);
    assert.equal(taken, round - 1);
    t.mock.timers.tick(1);
    assert.equal(taken, round);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  stop();
  t.mock.timers.tick(60_000);
  assert.equal(taken, 2);
});

type Listening = { readonly port: number; readonly sockets: readonly Socket[] };

async function listening(t: TestContext, port = 0): Promise<Listening> {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, sockets };
}
