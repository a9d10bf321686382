// After a restart the workers know who is logged in without asking for each (DESIGN "Very many visitors").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { echo, startBackend } from '../support/backend.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { listenPort } from '../support/listen-port.ts';
import { eventually } from '../support/serve-process.ts';
import { layOutService } from '../support/service-process.ts';

test('a session of before a restart is known without a question, and one that ended is refused', async (t) => {
  const backend = await startBackend(t, echo);
  const metricsPort = await listenPort();
  const service = await layOutService({ metricsPort });
  t.after(service.close);
  await service.start();
  await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  const url = service.urlOf('demo');
  const visitors = [];
  for (const email of ['ada@example.com', 'bob@example.com']) {
    const browser = createBrowser();
    assert.equal((await walkLogin(browser, url, { email })).last.status, 200);
    visitors.push({ email, cookie: browser.jar.header(new URL(url)) ?? '' });
  }
  const [ada, bob] = visitors;
  await service.stop();
  await service.start();
  const metric = async (name: string) => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  };
  const known = () => metric('doorward_gateway_known_sessions');
  await eventually('both are known', async () => (await known()) === 2);
  const visit = (cookie: string) => statusOf(service.port, { host: new URL(url).host, cookie });
  assert.equal(await visit(ada?.cookie ?? ''), 200);
  assert.equal(await visit(bob?.cookie ?? ''), 200);
  assert.equal(await metric('doorward_gateway_questions_total'), 0);
  // Told of its end at once, like one that was asked for.
  const { items } = await service.client.sessions.list({ email: 'ada@example.com' });
  await service.client.sessions.end(items[0]?.id ?? '');
  assert.equal(await visit(ada?.cookie ?? ''), 302);
  assert.equal(await visit(bob?.cookie ?? ''), 200);
  assert.equal(await metric('doorward_gateway_questions_total'), 0);
});

async function statusOf(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const request = get({ host: '127.0.0.1', port, headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
