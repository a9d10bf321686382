// THREATS "Tunnel" and "Tenancy": an agent serves shares of its own account alone, and a key for tunnels
// opens nothing else. Two accounts in one running service, asked over its real ports.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createNodeClient } from '../../src/client/node-client.ts';
import type { ShareObject } from '../../src/wire/share.ts';
import { isPermission } from '../../src/control/authorize.ts';
import { newApiKey, parseApiKey } from '../../src/domain/api-key.ts';
import { Secret } from '../../src/domain/secret.ts';
import { startAgent } from '../../src/tunnel/agent.ts';
import { placesOf } from '../../src/tunnel/gateway-place.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { callGate } from '../support/gate.ts';
import { openHostileAgent } from '../support/hostile-agent.ts';
import { callOf, operations } from '../support/operations.ts';
import { addAccount, startTestService, type TestService } from '../support/service.ts';

const TIMED = { timeout: 60_000 };
let service: TestService;
let share: ShareObject;
let mallory: Secret;
/** Of the account whose share it is. */
let tunnelKey: Secret;

before(async () => {
  service = await startTestService();
  mallory = await addAccount(service.config, 'mallory', 'm@evil.test');
  share = await service.client.shares.create({ name: 'private', tunnel: 'reserved', open: true });
  const { key } = await service.client.apiKeys.create({ name: 'agent', scope: 'tunnel' });
  tunnelKey = parseApiKey(key) ?? new Secret('');
});
after(() => service.close());

const host = 'tunnel.share.localhost';
const visit = () => callGate(service.ports.gateway, { host: 'private.share.localhost' });

test(
  'Tunnel: a key of another account serves no share of this one, by name or id, and cannot tell it from none',
  TIMED,
  async (t) => {
    const refusal = async (named: string) => {
      const opened = openHostileAgent(t, service.ports.gateway, { host, share: named, apiKey: mallory });
      const text = await opened.then(
        () => 'served',
        (error: Error) => error.message,
      );
      return text
        .replaceAll(named, 'NAME')
        .replaceAll(/req_\w+|"request_id":"[^"]*"|x-request-id: \S+|date: [^\r]*/gi, '');
    };
    const nobodys = await refusal('nobodys');
    assert.match(nobodys, /^HTTP\/1\.1 404 .*share_unknown/s);
    assert.equal(await refusal('private'), nobodys);
    assert.match(await refusal(share.id), /^HTTP\/1\.1 404 .*share_unknown/s);
    // Not while the right agent serves it, either.
    const agent = startAgent({
      gateways: async () => placesOf(await service.client.gateways()),
      share: 'private',
      apiKey: tunnelKey,
      target: parseLocalTarget(service.backend.url),
      onRequest: () => {},
      onState: () => {},
      onRefused: (error) => assert.fail(error),
    });
    t.after(() => agent.stop(0));
    await agent.ready;
    assert.match(await refusal(share.id), /^HTTP\/1\.1 404 /);
    assert.equal((await visit()).status, 200);
    await agent.stop(0);
    assert.equal((await visit()).status, 503);
  },
);

test('Tunnel: a key that may only read serves nothing', TIMED, async (t) => {
  const { key } = await service.client.apiKeys.create({ name: 'reader', scope: 'read' });
  const opened = openHostileAgent(t, service.ports.gateway, {
    host,
    share: 'private',
    apiKey: new Secret(key),
  });
  await assert.rejects(opened, /^Error: HTTP\/1\.1 403 .*not_allowed/s);
});

test(
  'Tunnel: a share that the gateway reaches itself is no agent’s, not even its own account’s',
  TIMED,
  async (t) => {
    await service.share('direct');
    const opened = openHostileAgent(t, service.ports.gateway, { host, share: 'direct', apiKey: tunnelKey });
    await assert.rejects(opened, /^Error: HTTP\/1\.1 422 .*validation_failed/s);
  },
);

/**
 * What an agent's key may call, and what it may call with some inputs only. What needs no key at all is not
 * asked.
 */
const MAY: ReadonlySet<string> = new Set(['listGateways', 'deleteShare', 'createShare', 'showCaller']);

test('Tunnel: a key for tunnels is refused by every other operation of the control API', TIMED, async () => {
  let refused = 0;
  for (const operation of operations().filter(
    ({ id, permission }) => isPermission(permission) && !MAY.has(id),
  )) {
    const { method = 'GET', path, json } = callOf(operation, 'private');
    const { status, body } = await callGate(service.ports.control, {
      host: 'control',
      method,
      path,
      headers: {
        authorization: `Bearer ${tunnelKey.reveal()}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    assert.deepEqual([status, JSON.parse(body).code], [403, 'not_allowed'], operation.id);
    refused += 1;
  }
  assert.ok(refused > 40);
  const agent = createNodeClient({
    url: new URL(`http://127.0.0.1:${service.ports.control}`),
    apiKey: tunnelKey,
  });
  const allowed = { code: 'not_allowed' };
  await assert.rejects(
    agent.shares.create({ name: 'mine', target: service.backend.url, open: true }),
    allowed,
  );
  await assert.rejects(agent.shares.remove('private'), allowed);
});

test('Tunnel: whoever tries keys is stopped, and a good key from there is not', TIMED, async (t) => {
  const attempt = async (apiKey: Secret) =>
    openHostileAgent(t, service.ports.gateway, { host, share: 'private', apiKey }).then(
      () => '101',
      (error: Error) => error.message.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3),
    );
  const answers = new Set<string>();
  for (let count = 0; count < 200 && !answers.has('429'); count++) answers.add(await attempt(newApiKey()));
  assert.deepEqual([...answers], ['401', '429']);
  assert.equal(await attempt(tunnelKey), '101');
});
