import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from './id.ts';
import { isOwnPerson } from './own-person.ts';

const ACCOUNT = newId('acc');
const OWN = { accountId: ACCOUNT, emailPatterns: ['*@example.com'], verifiesEmail: true };

test('isOwnPerson() goes by a domain that the account’s own definition names, at a provider that verifies', () => {
  assert.equal(of(OWN), true);
  assert.equal(of({ ...OWN, emailPatterns: ['*@{corp.example,example.com}'] }), true);
  assert.equal(of({ ...OWN, emailPatterns: ['*@*.example.com'] }, 'ann@eng.example.com'), true);
  assert.equal(of({ ...OWN, emailPatterns: ['*@x.com'] }, 'ann@x.com'), true);
  assert.equal(of({ ...OWN, emailPatterns: ['*@bücher.example'] }, 'ann@bücher.example'), true);
  assert.equal(of({ ...OWN, emailPatterns: ['*@*.corp.co.uk'] }, 'ann@eng.corp.co.uk'), true);
  assert.equal(of({ ...OWN, emailPatterns: ['{ann,bob}@{example.com,corp.example}'] }), true);
  assert.equal(of({ ...OWN, emailPatterns: ['[a-c]*@*corp.EXAMPLE.[c]om'] }, 'ann@mycorp.example.com'), true);
  // A pattern that lets in strangers, of whom this is none.
  assert.equal(of({ ...OWN, emailPatterns: ['*@example.com', '*@*.co.uk'] }), true);
  assert.equal(of({ ...OWN, accountId: null }), false, 'a provider of the configuration');
  assert.equal(of({ ...OWN, accountId: newId('acc') }), false, 'another account’s');
  assert.equal(of({ ...OWN, verifiesEmail: false }), false);
  assert.equal(of(OWN, 'ann@example.org'), false);
});

test('isOwnPerson() calls nobody its own where the patterns let in anybody', () => {
  const open = ['*', '*@*', '*@*.com', '*@???????.com', 'ann@*', 'a*', '?*@[a-z]*.com'];
  // Names that somebody else can register.
  const others = ['*@e*.com', '*@*example.com', '*@[a-m]*.com', '*@*[!x].com', '*@?xample.com', '*@exa*'];
  for (const pattern of [...open, ...others, '*@{example.com,*.com}', '*example.com'])
    for (const patterns of [[pattern], ['*@example.com', pattern]])
      assert.equal(of({ ...OWN, emailPatterns: patterns }), false, patterns.join());
  assert.equal(of({ ...OWN, emailPatterns: [] }), false);
  for (const suffix of ['co.uk', 'com.au', 'github.io'])
    assert.equal(of({ ...OWN, emailPatterns: [`*@*.${suffix}`] }, `eve@evil.${suffix}`), false, suffix);
  assert.equal(of({ ...OWN, emailPatterns: ['*@corp.co.uk', '*@*.co.uk'] }, 'ann@corp.co.uk'), false);
  const long = `${'a'.repeat(240)}@example.com`;
  assert.equal(of({ ...OWN, emailPatterns: ['*'] }, long), false, 'however long the address');
});

function of(provider: Parameters<typeof isOwnPerson>[0], email = 'ann@example.com'): boolean {
  return isOwnPerson(provider, email, ACCOUNT);
}
