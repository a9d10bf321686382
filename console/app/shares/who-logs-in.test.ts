import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mostUsed, type ProviderTitle } from '../parts/provider-titles.ts';
import { whoLogsIn } from './who-logs-in.ts';

const provider = (name: string, emailPatterns: readonly string[], shares = 0): ProviderTitle => ({
  name,
  displayName: name,
  title: name.toUpperCase(),
  shares,
  emailPatterns,
});
const KNOWN = [
  provider('corp', ['*@acme.test', '*@ops.test'], 2),
  provider('google', [], 9),
  provider('hub', []),
];

test('whoLogsIn() says of each provider whom it lets in, and what its definition asks', () => {
  assert.deepEqual(whoLogsIn(['google'], KNOWN), {
    people: 'Everyone who has an account at GOOGLE gets in',
    isLimited: false,
  });
  assert.deepEqual(whoLogsIn(['corp'], KNOWN), {
    people: 'Everyone at CORP whose address matches *@acme.test or *@ops.test gets in',
    isLimited: true,
  });
  assert.deepEqual(whoLogsIn(['corp', 'google', 'hub', 'unlisted'], KNOWN), {
    people:
      'Everyone who has an account at GOOGLE or HUB or unlisted, and everyone at CORP whose address matches *@acme.test or *@ops.test get in',
    isLimited: false,
  });
});

test('mostUsed() is the provider of most shares, the first by name among equals, and none of none', () => {
  assert.equal(mostUsed(KNOWN), 'google');
  assert.equal(mostUsed([provider('a', []), provider('b', [])]), 'a');
  assert.equal(mostUsed([]), '');
});
