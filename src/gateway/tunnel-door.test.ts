// What only many agents would show: how many tunnels one account may have (THREATS "Tunnel", "Exhaustion").

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { newApiKey } from '../domain/api-key.ts';
import { newId, type AccountId, type ShareId } from '../domain/id.ts';
import type { ServiceError } from '../domain/service-error.ts';
import type { AgentConnection } from '../tunnel/agent-connection.ts';
import { TUNNEL_PROTOCOL } from '../tunnel/wire.ts';
import { PLAIN_CONNECTION } from './connection.ts';
import type { GuardedRequest } from './guard.ts';
import { createTunnelDoor, type TunnelDoorOptions } from './tunnel-door.ts';
import type { Visit } from './visit.ts';
import { TUNNEL_KEY } from '../../test/support/tunnel-key.ts';
import { until } from '../../test/support/until.ts';

test('createTunnelDoor() lets one account have no more tunnels than leaves some to the others', async (t) => {
  const [greedy, modest] = [newId('acc'), newId('acc')];
  const accounts = new Map<ShareId, AccountId>();
  const shareOf = (account: AccountId) => {
    const id = newId('shr');
    accounts.set(id, account);
    return id;
  };
  const held: AgentConnection[] = [];
  const failed: unknown[] = [];
  const edge: Partial<TunnelDoorOptions['edge']> = {
    accept: (_socket, from) => held.push(from),
    count: (is) => held.filter(is).length,
  };
  const door = createTunnelDoor({
    settings: () =>
      ({ tunnel: { host: 'tunnel.test', workers: 1, atGateway: true, listener: null } }) as never,
    edge: edge as TunnelDoorOptions['edge'],
    ask: async ({ share }) => ({ kind: 'tunnel', shareId: share as ShareId, key: TUNNEL_KEY }),
    draining: () => false,
    fail: (_visit, error) => void failed.push((error as ServiceError).code),
    judge: () => ({ accountId: newId('acc'), revoked: false }),
    accountOf: (id) => accounts.get(id) ?? null,
    mostOfAccount: 3,
    workerName: 'worker-of-tests',
  });
  t.after(door.close);
  const dial = async (share: ShareId) => {
    const before = held.length + failed.length;
    door.take(
      visitFor(),
      { host: 'tunnel.test', target: `/v1/tunnel?share=${share}` } as GuardedRequest,
      'gateway',
    );
    await until(() => held.length + failed.length !== before);
  };
  for (let count = 0; count < 3; count++) await dial(shareOf(greedy));
  await dial(shareOf(greedy));
  assert.deepEqual(failed, ['rate_limited']);
  await dial(shareOf(modest));
  assert.equal(held.length, 4);
  held.splice(0, 1);
  await dial(shareOf(greedy));
  assert.deepEqual([held.length, failed.length], [4, 1]);
});

function visitFor(): Visit {
  const rawHeaders = ['Authorization', `Bearer ${newApiKey().reveal()}`, 'Doorward-Agent', 'agent-of-tests'];
  return {
    closed: false,
    status: 0,
    facts: { size: 100 },
    visitor: { address: '127.0.0.1' },
    exchange: {
      upgrade: TUNNEL_PROTOCOL,
      rawHeaders,
      connection: PLAIN_CONNECTION,
      switchProtocols: () => new PassThrough(),
    },
  } as unknown as Visit;
}
