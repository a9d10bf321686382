// What an agent lends ends whole: no handle of it outlives its end, and none waits for a gateway that is
// gone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { Lending } from './lending.ts';
import { parseLocalTarget } from './local-target.ts';
import { OPEN } from './wire.ts';

const TIMED = { timeout: 60_000 };
/** Into what lies between two ends. */
const MORE_THAN_FITS = 64 * 1024 * 1024;

/**
 * A target that ends its answer, and a lent connection that is broken off in the same moment: its own end is
 * just being sent.
 */
const SCRIPT = `
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { Lending } from '${import.meta.resolve('./lending.ts')}';
import { parseLocalTarget } from '${import.meta.resolve('./local-target.ts')}';

const target = createServer((socket) => void socket.on('error', () => socket.destroy()).end('bye'));
const gateway = createServer((socket) => {
  socket.on('error', () => socket.destroy());
  socket.resume().write(Buffer.from([1]));
});
for (const server of [target, gateway]) await once(server.listen(0, '127.0.0.1'), 'listening');
const lent = connect({ port: gateway.address().port, host: '127.0.0.1', allowHalfOpen: true });
await once(lent, 'connect');
const lending = new Lending(lent, parseLocalTarget('http://127.0.0.1:' + target.address().port), {
  onEnded: () => queueMicrotask(() => lending.destroy()),
  onClosed: () => {
    target.close();
    gateway.close();
    console.log('closed');
  },
});
`;

test(
  'a connection that is broken off while its end is sent leaves nothing that keeps the agent’s process',
  TIMED,
  async (t) => {
    const agent = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => agent.kill('SIGKILL'));
    let said = '';
    agent.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = (await once(agent, 'close')) as [number | null];
    assert.deepEqual([code, said], [0, 'closed\n']);
  },
);

test(
  'a target that takes nothing more keeps no connection that its gateway closed (THREATS "Tunnel")',
  TIMED,
  async (t) => {
    const { lending, atTarget, atGateway, closed } = await joined(t);
    atTarget.pause();
    atGateway.write(Buffer.alloc(MORE_THAN_FITS));
    await stalled(atGateway);
    lending.gatewayClosed();
    atGateway.destroy();
    await closed;
  },
);

test('a slow target gets what its gateway wrote before it closed', TIMED, async (t) => {
  const { lending, atTarget, atGateway, closed } = await joined(t);
  let taken = 0;
  atTarget.on('data', (chunk: Buffer) => {
    taken += chunk.byteLength;
    atTarget.pause();
    setTimeout(() => atTarget.resume(), 5);
  });
  atGateway.end(Buffer.alloc(MORE_THAN_FITS), () => atGateway.destroy());
  await stalled(atGateway);
  lending.gatewayClosed();
  await closed;
  assert.equal(taken, MORE_THAN_FITS);
});

/** A lent connection whose target is there. */
async function joined(t: TestContext) {
  const [target, gateway] = [await serverOf(t), await serverOf(t)];
  const lent = connect({ port: portOf(gateway), host: '127.0.0.1', allowHalfOpen: true });
  const atGateway = await connectionAt(gateway);
  const closed = Promise.withResolvers<void>();
  const lending = new Lending(lent, parseLocalTarget(`http://127.0.0.1:${portOf(target)}`), {
    onEnded: () => {},
    onClosed: closed.resolve,
  });
  atGateway.write(Buffer.from([OPEN]));
  const [atTarget] = await Promise.all([connectionAt(target), once(atGateway, 'data')]);
  return { lending, atTarget, atGateway, closed: closed.promise };
}

async function serverOf(t: TestContext): Promise<Server> {
  const server = createServer({ allowHalfOpen: true });
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    t.after(() => socket.destroy());
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function connectionAt(server: Server): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Nothing more left for many turns. */
async function stalled(socket: Socket): Promise<void> {
  for (let still = 0, before = -1; still < 200; still++) {
    await new Promise(setImmediate);
    if (socket.bytesWritten - socket.writableLength !== before) still = 0;
    before = socket.bytesWritten - socket.writableLength;
  }
}
