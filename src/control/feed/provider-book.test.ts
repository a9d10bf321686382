// What a change of one definition, or hundreds that nobody uses, cost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import type { DefinitionConfig, ProviderDefinition } from '../../domain/provider-definition.ts';
import { Secret } from '../../domain/secret.ts';
import type { UsableDefinition } from '../../store/providers/definition.ts';
import { createProviderBook } from './provider-book.ts';

const accountId = newId('acc');

function bookOf(count: number) {
  const opened: string[] = [];
  const usable = (definition: ProviderDefinition): UsableDefinition => ({
    definition,
    openCredential: () => {
      opened.push(definition.name);
      return { clientSecret: new Secret(`secret of ${definition.name}`) };
    },
  });
  const definitions = Array.from({ length: count }, (_, n) => definitionOf(`corp-${n}`));
  const book = createProviderBook(Date.now);
  book.useConfigured(new Map(), { outboundAllow: [], ownListeners: [] });
  const names = book.useDefinitions(definitions.map(usable));
  return { book, opened, usable, definitions, names };
}

test('500 definitions that nobody uses open no secret, and each is known by its words (2.4)', () => {
  const { book, opened, definitions, names } = bookOf(500);
  assert.deepEqual(
    names,
    definitions.map(({ name }) => name),
  );
  assert.equal(book.usableBy(accountId).length, 500);
  assert.deepEqual(book.usableBy(newId('acc')), []);
  assert.deepEqual(book.ref('corp-7')?.emailPatterns, ['*@corp.example']);
  assert.deepEqual(opened, []);
  const provider = book.find('corp-7');
  assert.equal(provider?.generation, book.ref('corp-7')?.generation);
  assert.equal(book.find('corp-7'), provider, 'made once');
  assert.deepEqual(opened, ['corp-7']);
});

test('changeDefinitions() makes that one again and leaves the others as they are (2.4)', () => {
  const { book, opened, usable, definitions } = bookOf(3);
  const [first, second, third] = definitions.map(({ name }) => book.find(name));
  const refs = definitions.map(({ name }) => book.ref(name));
  opened.length = 0;
  const changed = { ...definitions[1]!, version: 2, config: { ...CONFIG, clientId: 'another' } };
  const { id } = changed;
  assert.deepEqual(book.changeDefinitions([id], [usable(changed)]), ['corp-1']);
  assert.deepEqual(opened, [], 'before it is used');
  assert.notEqual(book.ref('corp-1')?.generation, refs[1]?.generation);
  assert.notEqual(book.find('corp-1'), second);
  assert.deepEqual([book.find('corp-0'), book.find('corp-2')], [first, third]);
  assert.deepEqual(opened, ['corp-1']);
  assert.equal(book.ref('corp-0'), refs[0], 'the same object for every share');
  assert.deepEqual(book.changeDefinitions([id], [usable(changed)]), [], 'told twice');
  assert.deepEqual(book.changeDefinitions([id], []), ['corp-1']);
  assert.equal(book.find('corp-1'), undefined);
  assert.equal(book.usableBy(accountId).length, 2);
});

test('changeDefinitions() tells a name that another definition has by now from the one that went (2.4)', () => {
  const { book, usable, definitions } = bookOf(1);
  const again = { ...definitionOf('corp-0'), config: { ...CONFIG, clientId: 'again' } };
  const ids = [definitions[0]!.id, again.id];
  assert.deepEqual(book.changeDefinitions(ids, [usable(again)]), ['corp-0']);
  assert.ok(book.find('corp-0'));
  assert.deepEqual(book.useDefinitions([usable(again)]), [], 'all is as it was');
  assert.deepEqual(book.useDefinitions([]), ['corp-0']);
});

const CONFIG: DefinitionConfig = {
  clientId: 'client',
  issuerUrl: 'https://login.example',
  scopes: ['openid', 'email'],
  supportsPkce: true,
  prompt: null,
  requireVerifiedEmail: false,
  baseUrl: null,
  apiUrl: null,
  emailPatterns: ['*@corp.example'],
};

function definitionOf(name: string): ProviderDefinition {
  const made = { version: 1, createdAt: 0, updatedAt: 0 };
  return { id: newId('prv'), accountId, name, type: 'OIDC', config: CONFIG, ...made };
}
