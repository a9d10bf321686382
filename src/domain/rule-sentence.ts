// Whom a rule speaks of, in words: "anyone who logs in with corp, in a group eng-*, from 10.0.0.0/8".

import type { RuleConditions } from './access-rule.ts';

/**
 * `definitions`: email globs by the names of providers that let in no other address, whatever a rule says.
 */
export function ruleSentence(
  conditions: RuleConditions,
  definitions: ReadonlyMap<string, readonly string[]> = new Map(),
): string {
  const { certificate, providers, emails, groups, claims = {}, acr, max_age: age } = conditions;
  const parts: string[] = [];
  const add = (text: string | null) => text !== null && parts.push(text);
  add(providers === undefined ? null : `who logs in with ${anyOf(providers)}`);
  for (const name of providers ?? []) {
    const patterns = definitions.get(name);
    add(patterns === undefined ? null : `at ${name} only with an email address like ${anyOf(patterns)}`);
  }
  add(emails === undefined ? null : `with an email address like ${anyOf(emails)}`);
  add(groups === undefined ? null : `in a group like ${anyOf(groups)}`);
  for (const [name, values] of Object.entries(claims)) add(`with a claim ${name} like ${anyOf(values)}`);
  add(acr === undefined ? null : `with the authentication class ${anyOf(acr)}`);
  add(age === undefined ? null : `who logged in within ${age}`);
  if (certificate !== undefined) {
    const { subject, unit } = certificate;
    const named = subject === null ? '' : ` named ${subject}`;
    add(`with a client certificate${named}${unit === null ? '' : ` of the unit ${unit}`}`);
  }
  add(conditions.tokens === undefined ? null : `with a service token named ${anyOf(conditions.tokens)}`);
  add(conditions.addresses === undefined ? null : `from ${anyOf(conditions.addresses)}`);
  add(conditions.outside === undefined ? null : `from outside ${anyOf(conditions.outside)}`);
  add(conditions.methods === undefined ? null : `with ${anyOf(conditions.methods)} requests`);
  add(conditions.paths === undefined ? null : `at ${anyOf(conditions.paths)}`);
  add(conditions.until === undefined ? null : `until ${conditions.until}`);
  return ['anyone', parts.join(', ')].join(' ').trimEnd();
}

function anyOf(values: readonly string[]): string {
  const shown = values.slice(0, MOST_SHOWN);
  const more = values.length - shown.length;
  const last = more > 0 ? `${more} more` : shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} or ${last}`;
}

const MOST_SHOWN = 10;
