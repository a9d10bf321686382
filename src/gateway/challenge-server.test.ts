import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { test } from 'node:test';
import { alpnAnswer } from '../acme/alpn-answer.ts';
import { CHALLENGE_PROTOCOL, createChallengeServer } from './challenge-server.ts';

test('a challenge that is answered is over, whoever stays (THREATS "Exhaustion")', async () => {
  const answer = alpnAnswer('a.test', 'token.thumbprint', Date.now());
  const challenges = createChallengeServer(async () => answer, 5_000);
  const taken = Promise.withResolvers<Socket>();
  const listener = createServer((socket) => {
    taken.resolve(socket);
    challenges.take(socket);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  // It never closes its side, and says what nobody reads.
  const options = {
    port,
    host: '127.0.0.1',
    servername: 'a.test',
    ALPNProtocols: [CHALLENGE_PROTOCOL],
    rejectUnauthorized: false,
    allowHalfOpen: true,
  };
  const client = connect(options);
  client.on('error', () => undefined);
  try {
    const socket = await taken.promise;
    const closed = new Promise<true>((resolve) => socket.on('close', () => resolve(true)));
    await once(client, 'secureConnect');
    client.write('x'.repeat(100_000));
    const late = new Promise<false>((resolve) => setTimeout(resolve, 3_000, false).unref());
    assert.equal(await Promise.race([closed, late]), true);
  } finally {
    client.destroy();
    challenges.close();
    listener.close();
  }
});
