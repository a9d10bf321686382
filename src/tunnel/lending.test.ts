// What an agent lends ends whole: no handle of it outlives its end.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

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
  {
    timeout: 60_000,
  },
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
