import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWish, nameHelp, newTokenOf, renewableHelp, validityHelp } from './token-wish.ts';

const OPEN = {
  organization: null,
  organizationalUnits: [],
  commonNamePattern: null,
  maxValidity: null,
  renewalByLogin: false,
  renewableFor: null,
};
const STRICT = {
  organization: 'Corp',
  organizationalUnits: ['Sales', 'Operations'],
  commonNamePattern: '*.corp',
  maxValidity: '90d',
  renewalByLogin: true,
  renewableFor: '365d',
};
const defined = (value: object) => JSON.parse(JSON.stringify(value)) as unknown;

test('newTokenOf() leaves to the service what nobody said', () => {
  const wish = { ...firstWish(OPEN), commonName: ' ann ' };
  assert.deepEqual(defined(newTokenOf(wish, OPEN)), { name: 'ann', commonName: 'ann' });
  const all = {
    ...wish,
    name: 'laptop',
    emailAddress: 'ann@corp.com',
    organization: 'Corp',
    unit: 'Sales',
    validity: '7d',
    expiresIn: '1h',
    renewableFor: 'none',
    apiRole: 'member',
  } as const;
  assert.deepEqual(defined(newTokenOf(all, OPEN)), {
    name: 'laptop',
    commonName: 'ann',
    emailAddress: 'ann@corp.com',
    organization: 'Corp',
    organizationalUnit: 'Sales',
    validity: '7d',
    expiresIn: '1h',
    renewableFor: 'none',
    apiRole: 'member',
  });
});

test('firstWish() and newTokenOf() go by the account’s rules', () => {
  const wish = { ...firstWish(STRICT), commonName: 'ann.corp', organization: 'Other' };
  assert.deepEqual(defined(newTokenOf(wish, STRICT)), {
    name: 'ann.corp',
    commonName: 'ann.corp',
    organizationalUnit: 'Sales',
  });
  assert.match(nameHelp(STRICT), /require \*\.corp/);
  assert.match(validityHelp(STRICT), /at most 90d/);
  assert.match(renewableHelp(STRICT), /At most 365d/);
  assert.match(renewableHelp(OPEN), /At most 397d/);
  assert.doesNotMatch(nameHelp(OPEN), /rules/);
});
