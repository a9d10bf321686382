// A service token's whole life with the whole service, on both engines: made, used, seen, restarted over,
// deleted; and nothing that is written down has it (DESIGN "Service tokens").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import { callGate } from '../support/gate.ts';
import { onEngines } from '../support/on-engines.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

onEngines('service tokens', (engine) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ storeUrl: await engine.storeUrl() });
    const rules = [{ allow: { tokens: ['deploy-*'] } }];
    for (const name of ['wiki', 'files'])
      await service.client.shares.create({ name, target: service.backend.url, rules });
  });
  after(() => service.close());

  async function statusOf(token: string, share = 'wiki'): Promise<number> {
    const { status } = await callGate(service.ports.gateway, {
      host: `${share}.share.localhost`,
      headers: { 'svc-auth-token': token },
    });
    return status;
  }

  test('a token opens its share from the answer that shows it until it is deleted, restarts included, and its use is noted (Service tokens)', async () => {
    const { serviceTokens } = service.client;
    const made = await serviceTokens.create({ name: 'deploy-bot', shares: ['wiki'], expiresIn: '90d' });
    assert.equal(await statusOf(made.token), 200);
    assert.equal(await statusOf(made.token, 'files'), 401);
    const other = await serviceTokens.create({ name: 'reader', shares: ['wiki'], expiresIn: '1h' });
    assert.equal(await statusOf(other.token), 403);
    await until(async () => (await serviceTokens.show('deploy-bot')).lastUsedAt !== null);
    assert.equal((await serviceTokens.show('reader')).lastUsedAt, null, 'it let nobody in');
    await service.restart();
    assert.equal(await statusOf(made.token), 200);
    await serviceTokens.remove('deploy-bot');
    assert.equal(await statusOf(made.token), 401, 'the deletion is live when it is answered');
    const events = (await service.client.auditEvents.list()).items;
    const kinds = events.map(({ kind }) => kind).filter((kind) => kind.startsWith('service_token.'));
    assert.deepEqual(kinds.toSorted(), [
      'service_token.created',
      'service_token.created',
      'service_token.deleted',
      'service_token.refused',
    ]);
    const refused = events.find(({ kind }) => kind === 'service_token.refused');
    assert.equal(refused?.actor, `service-token:${other.id}`);
    const written = (await readFile(service.logFile, 'utf8')) + JSON.stringify(events);
    assert.match(written, /"token":"deploy-bot"/);
    for (const { token } of [made, other]) assert.ok(!written.includes(token.slice(4)));
  });

  test(
    'deleting a token, or its rule, ends the WebSockets that it opened (DESIGN "Ended sessions")',
    { timeout: 60_000 },
    async (t) => {
      const { serviceTokens, shares } = service.client;
      for (const end of ['token', 'rule', 'share'] as const) {
        const name = `deploy-${end}`;
        const { token } = await serviceTokens.create({ name, shares: ['files'], expiresIn: '1h' });
        const socket = new WebSocket(`ws://127.0.0.1:${service.ports.gateway}/socket`, {
          headers: { host: 'files.share.localhost', authorization: `Bearer ${token}` },
        });
        socket.on('error', () => {});
        t.after(() => socket.terminate());
        await once(socket, 'open');
        const closed = new Promise((resolve) => {
          socket.on('close', resolve);
        });
        if (end === 'token') await serviceTokens.remove(name);
        else if (end === 'rule')
          await shares.modify('files', { rules: [{ allow: { tokens: ['deploy-share'] } }] });
        else await shares.remove('files');
        await closed;
      }
    },
  );
});
