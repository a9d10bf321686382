// Receives Doorward's webhooks and prints their events: WEBHOOK_SECRET=whs_… node receiver.mjs It
// rejects a delivery that is not signed with the secret, was changed, or is older than five minutes. While the
// secret is rotated, a delivery carries a signature with each secret, and this receiver can have either.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET ?? '';
if (secret === '') throw new Error('Set WEBHOOK_SECRET to what "doorward webhook create" printed');

/** Ids of deliveries that were handled: one may come twice. Keep them in a database for more than a day. */
const handled = new Set();

/**
 * Whether `header` (svc-webhook-signature) is the signature of this body, made within five minutes of `now`.
 */
export function isSigned(header, body, now = Date.now()) {
  const [, time, list] = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(header ?? '') ?? [];
  if (list === undefined || Math.abs(now / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest();
  const macs = list.slice(1).split(',');
  return macs.some((mac) => timingSafeEqual(expected, Buffer.from(mac.slice('v1='.length), 'hex')));
}

const server = createServer(async (request, response) => {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > 64 * 1024) return response.writeHead(413, { connection: 'close' }).end();
    chunks.push(chunk);
  }
  // The raw body: parsing and serializing it could change it.
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers['svc-webhook-signature'], body)) return response.writeHead(401).end();
  const id = request.headers['svc-webhook-id'];
  if (!handled.has(id)) process.stdout.write(`${JSON.stringify(JSON.parse(body.toString()))}\n`);
  handled.add(id);
  // Respond within ten seconds, or the delivery is retried. Do long work afterwards.
  response.writeHead(204).end();
});

server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () =>
  process.stderr.write(`Listening on ${server.address().port}\n`),
);
