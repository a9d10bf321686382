// Two gateways on one PostgreSQL, each behind a proxy of its own that asks it: what one is told, the other
// knows. docs/how-to/forward-auth.md, "What ends when".

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { programOf, startAskingProxy } from '../support/asking-proxy.ts';
import { type BehindRig, startBehind } from '../support/behind-rig.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { PAGE_LOAD } from '../support/forward-auth.ts';
import { listenPort } from '../support/listen-port.ts';
import { startPostgres } from '../support/postgres.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';
import { type ConfigTree, eventually } from '../support/serve-process.ts';
import { accepting, spawnServe } from '../support/service-process.ts';

const EMAIL = 'ada@example.com';

for (const proxy of ['nginx', 'caddy'] as const)
  test(
    `${proxy}: a login through one gateway is known to the other, and a logout there ends it here (DESIGN "Forward-auth")`,
    { skip: programOf(proxy) === null ? `${proxy} is not installed` : false },
    async (t) => {
      const postgres = await startPostgres();
      t.after(() => postgres[Symbol.asyncDispose]());
      const storeUrl = (await postgres.formedPlace()).reveal();
      const rig = await startBehind(proxy, { storeUrl, share: { oauthProvider: 'corp' } });
      t.after(() => rig.close());
      const second = await secondGateway(rig);
      t.after(second.stop);
      const port = await listenPort();
      t.after(await startAskingProxy(proxy, { ...rig.front, port, gateway: second.port }));

      const browser = createBrowser({ ca: rig.ca });
      const { last } = await walkLogin(browser, `${rig.url}/`, { email: EMAIL });
      assert.equal(last.status, 200, last.body.slice(0, 300));
      const cookie = browser.jar.header(new URL(rig.url)) ?? '';
      const at = (front: number) => asked(rig, front, cookie);
      const there = await eventually('the other gateway knows the session', async () => {
        const answer = await at(port);
        return answer.status === 200 ? answer : null;
      });
      assert.match(there.body, /"svc-auth-email":"ada@example\.com"/);

      const { location } = await browser.open(`${rig.url}/.svc/logout`);
      assert.ok(location);
      await browser.open(location);
      const since = performance.now();
      await eventually('the other gateway refuses', async () => (await at(port)).status === 302);
      const ms = performance.now() - since;
      t.diagnostic(`refused ${Math.round(ms)} ms after the logout`);
      assert.ok(ms < PROMPTLY_MS);
      assert.equal((await at(rig.port)).status, 302);
    },
  );

/** The same installation once more, at other ports. */
async function secondGateway({ service }: BehindRig) {
  const [port, control] = [await listenPort(), await listenPort()];
  const file = join(service.folder, 'doorward.yaml');
  const config = JSON.parse(readFileSync(file, 'utf8')) as ConfigTree;
  Object.assign(config['gateway'] ?? {}, { bind_address: `127.0.0.1:${port}` });
  Object.assign(config.oauth, { bind_address: `127.0.0.1:${port}` });
  Object.assign(config['control'] ?? {}, { bind_address: `127.0.0.1:${control}` });
  const secondFile = join(service.folder, 'second.yaml');
  writeFileSync(secondFile, JSON.stringify(config));
  const logFile = join(service.folder, 'second.log');
  const child = spawnServe(secondFile, { logFile, flags: [] });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    await accepting(port, { child, logFile });
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

/** A page load through the proxy at that port, with the host that visitors use. */
async function asked({ ca, url }: BehindRig, port: number, cookie: string) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const { host, hostname } = new URL(url);
  const agent = new Agent({ ca, servername: hostname });
  const call = request(
    { host: '127.0.0.1', port, agent, headers: { ...PAGE_LOAD, host, cookie } },
    (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    },
  );
  call.on('error', reject);
  call.end();
  const answer = await promise;
  agent.destroy();
  return answer;
}
