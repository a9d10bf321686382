import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_RULES, PERSON } from '../../test/support/rule-facts.ts';
import { compileRules } from './compile-rules.ts';
import { rememberedPerson } from './judged-person.ts';

test('rememberedPerson() judges a person once, and again when anything of it changed (DESIGN "Rules")', () => {
  const sources = { ...NO_RULES, rules: [{ allow: { providers: ['corp'], groups: ['eng-*'] } }] };
  const rules = compileRules(sources);
  const first = rememberedPerson(rules, 'ses_1', PERSON);
  assert.equal(first.allows.length, 1);
  assert.equal(rememberedPerson(rules, 'ses_1', { ...PERSON }), first);
  const left = { ...PERSON, facts: { ...PERSON.facts!, groups: [] } };
  assert.deepEqual(rememberedPerson(rules, 'ses_1', left).allows, []);
  assert.deepEqual(rememberedPerson(rules, 'ses_1', { ...PERSON, provider: 'other' }).allows, []);
  const changed = compileRules({ ...sources, rules: [{ deny: { everyone: true } }] });
  assert.deepEqual(rememberedPerson(changed, 'ses_1', PERSON).allows, []);
});
