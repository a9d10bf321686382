// A receiver of webhooks on loopback: keeps what it got, and answers as it is told.

import { startLoopbackServer, readBody, type LoopbackOptions } from './providers/loopback-server.ts';

export type Received = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** `svc-webhook-id`. */
  readonly id: string;
  readonly event: Readonly<Record<string, unknown>>;
};

export type WebhookReceiver = {
  readonly url: string;
  readonly port: number;
  readonly received: readonly Received[];
  /** The status of answers from now on; `stall` gives none, `redirect` leads to itself. */
  answer: number | 'stall' | 'redirect';
  /** The body of answers from now on. */
  text: string;
  /** How many requests are being answered now, and were at most. */
  readonly load: { now: number; most: number };
  readonly close: () => Promise<void>;
};

export async function startWebhookReceiver(options: LoopbackOptions = {}): Promise<WebhookReceiver> {
  const server = await startLoopbackServer(options);
  const received: Received[] = [];
  const load = { now: 0, most: 0 };
  const receiver: WebhookReceiver = {
    url: `${server.origin}/hook?of=test`,
    port: server.port,
    received,
    answer: 204,
    text: '',
    load,
    close: server.close,
  };
  server.handle(async (request, response) => {
    load.now++;
    load.most = Math.max(load.most, load.now);
    response.on('close', () => load.now--);
    const body = await readBody(request);
    received.push({
      headers: request.headers,
      body,
      id: String(request.headers['svc-webhook-id']),
      event: JSON.parse(body) as Received['event'],
    });
    if (receiver.answer === 'redirect') response.writeHead(307, { location: receiver.url }).end();
    else if (receiver.answer !== 'stall') response.writeHead(receiver.answer).end(receiver.text);
  });
  return receiver;
}
