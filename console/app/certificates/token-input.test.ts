import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstInput, nameHelp, newTokenOf, renewableHelp, validityHelp } from './token-input.ts';

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
  const input = { ...firstInput(OPEN), commonName: ' ann ' };
  assert.deepEqual(defined(newTokenOf(input, OPEN)), { name: 'ann', commonName: 'ann' });
  const all = {
    ...input,
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

test('firstInput() and newTokenOf() go by the account’s rules', () => {
  const input = { ...firstInput(STRICT), commonName: 'ann.corp', organization: 'Other' };
  assert.deepEqual(defined(newTokenOf(input, STRICT)), {
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
