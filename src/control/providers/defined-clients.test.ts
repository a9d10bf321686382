import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId } from '../../domain/id.ts';
import type { Provider } from '../../providers/provider.ts';
import { createDefinedClients, MAX_IN_ALL, MAX_OF_ACCOUNT } from './defined-clients.ts';
import type { Defined } from '../feed/provider-shelf.ts';

test('createDefinedClients() keeps those of an account that were used last, and makes another again', () => {
  const { clients, made } = rig();
  const account = newId('acc');
  const all = Array.from({ length: MAX_OF_ACCOUNT }, () => defined(account));
  const providers = all.map(clients.of);
  assert.deepEqual(all.map(clients.of), providers, 'made once');
  clients.of(all[0]!);
  clients.of(defined(account));
  assert.equal(clients.of(all[0]!), providers[0], 'used since');
  assert.notEqual(clients.of(all[1]!), providers[1]);
  assert.equal(made(), MAX_OF_ACCOUNT + 2);
});

test('createDefinedClients() keeps so many in all, and takes from whoever has most', () => {
  const { clients, made } = rig();
  const few = defined(newId('acc'));
  const kept = clients.of(few);
  const accounts = Array.from({ length: MAX_IN_ALL / MAX_OF_ACCOUNT }, () => newId('acc'));
  const all = accounts.flatMap((account) => Array.from({ length: MAX_OF_ACCOUNT }, () => defined(account)));
  all.forEach(clients.of);
  assert.equal(clients.of(few), kept);
  const before = made();
  all.forEach(clients.of);
  assert.ok(made() > before, 'one had to go');
  clients.forget(few);
  assert.notEqual(clients.of(few), kept);
});

test('createDefinedClients() forgets all', () => {
  const { clients } = rig();
  const one = defined(newId('acc'));
  const provider = clients.of(one);
  clients.forgetAll();
  assert.notEqual(clients.of(one), provider);
});

function rig() {
  let count = 0;
  const clients = createDefinedClients(() => ({ name: `made ${++count}` }) as Provider);
  return { clients, made: () => count };
}

function defined(accountId: AccountId): Defined {
  return { kept: { definition: { accountId } } } as Defined;
}
