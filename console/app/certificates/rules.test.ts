import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedRules, policyOf, ruleWords, rulesOf } from './rules.ts';

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

test('policyOf() takes back what rulesOf() gives to be typed over', () => {
  for (const policy of [OPEN, STRICT]) assert.deepEqual(policyOf(rulesOf(policy)), policy);
  const typed = {
    organization: ' Corp ',
    units: ' Sales\n\n Operations ',
    commonNamePattern: '',
    maxValidity: ' ',
    renewalByLogin: false,
    renewableFor: '',
  };
  assert.deepEqual(policyOf(typed), {
    ...OPEN,
    organization: 'Corp',
    organizationalUnits: ['Sales', 'Operations'],
  });
});

test('changedRules() sends what differs and nothing else', () => {
  assert.equal(
    changedRules(STRICT, { ...STRICT, organizationalUnits: [...STRICT.organizationalUnits] }),
    null,
  );
  assert.deepEqual(changedRules(STRICT, { ...STRICT, organizationalUnits: ['Sales'], maxValidity: null }), {
    organizationalUnits: ['Sales'],
    maxValidity: null,
  });
});

test('ruleWords() says what goes where there is no rule', () => {
  assert.deepEqual(ruleWords(OPEN), {
    Organization: 'any organization, or none',
    Units: 'any unit, or none',
    'Common names match': 'anything',
    'Valid for at most': '397d',
    'Can be renewed for': '397d after the first certificate',
    'Renewal by logging in': 'no',
  });
  assert.equal(ruleWords(STRICT)['Units'], 'Sales, Operations');
});
