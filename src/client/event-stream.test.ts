import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverEvents } from './event-stream.ts';

async function eventsOf(...chunks: readonly Uint8Array[]) {
  async function* bytes() {
    yield* chunks;
  }
  return Array.fromAsync(serverEvents(bytes()));
}

const encode = (text: string) => new TextEncoder().encode(text);
const TEXT = ': still here\n\nevent: request\ndata: {"who":"ä"}\n\nevent: end\r\ndata: 1\r\ndata:2\r\n\r\n';

test('serverEvents() reads names and data, wherever the bytes are cut (WHATWG HTML 9.2.6)', async () => {
  const bytes = encode(TEXT);
  const whole = [
    { event: 'request', data: '{"who":"ä"}' },
    { event: 'end', data: '1\n2' },
  ];
  for (let at = 0; at <= bytes.length; at++)
    assert.deepEqual(await eventsOf(bytes.subarray(0, at), bytes.subarray(at)), whole, `cut at ${at}`);
});

test('serverEvents() tells nothing of what broke off, and takes no event without end', async () => {
  assert.deepEqual(await eventsOf(encode('data: whole\n\ndata: half\n')), [
    { event: 'message', data: 'whole' },
  ]);
  await assert.rejects(eventsOf(encode('data: '), encode('x'.repeat(70_000))), /longer than/);
});
