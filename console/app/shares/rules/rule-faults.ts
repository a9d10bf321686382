// What the service found wrong with the rules of a share, by rule and condition: it says the place ("rule 3,
// `paths`: …"), or names the field ("rules.2.allow.paths.0").

import { CONDITION_NAMES, type ConditionName } from '../../../../src/domain/access-rule.ts';
import type { Faults } from '../../parts/faults.ts';

export type RulesFaults = {
  /** Of the list as a whole; empty for none. */
  readonly list: string;
  /** By the place of the rule, from 0. */
  readonly rules: ReadonlyMap<number, RuleFaults>;
};

/** `rule`: of the rule as a whole. */
export type RuleFaults = { readonly [P in ConditionName | 'rule']?: string };

export function rulesFaults(faults: Faults): RulesFaults {
  const list: string[] = [];
  const rules = new Map<number, RuleFaults>();
  const add = (index: number, name: keyof RuleFaults, message: string) => {
    const known = rules.get(index) ?? {};
    rules.set(index, { ...known, [name]: [known[name], message].filter(Boolean).join(' ') });
  };
  for (const [path, message] of Object.entries(faults)) {
    const field = FIELD.exec(path);
    const place = path === 'rules' ? PLACE.exec(message) : null;
    if (field !== null) {
      const [, index, name, line] = field;
      const at = line === undefined || !/^\d+$/.test(line) ? '' : `Line ${Number(line) + 1}: `;
      add(Number(index), nameOf(name), sentence(`${at}${message}`));
    } else if (place !== null) {
      const [, number, name, part, text = ''] = place;
      add(
        Number(number) - 1,
        nameOf(name),
        part === undefined ? sentence(text) : `${part}: ${sentence(text)}`,
      );
    } else if (path === 'rules') list.push(sentence(message));
  }
  return { list: list.join(' '), rules };
}

/** Everything in a text, each with its place. */
export function rulesFaultsText(faults: Faults): string {
  const { list, rules } = rulesFaults(faults);
  const said = [...rules].flatMap(([index, fault]) =>
    Object.entries(fault).map(([name, message]) =>
      name === 'rule' ? `Rule ${index + 1}: ${message}` : `Rule ${index + 1}, \`${name}\`: ${message}`,
    ),
  );
  return [list, ...said].filter(Boolean).join(' ');
}

function nameOf(text: string | undefined): keyof RuleFaults {
  return CONDITION_NAMES.find((name) => name === text) ?? 'rule';
}

function sentence(text: string): string {
  const first = text.slice(0, 1);
  return `${first.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

const PLACE = /^(?:Cannot use rules: )?rule (\d+)(?:, `(\w+)`)?(?:, [`"]([^`"]+)[`"])?: (.*)$/s;
const FIELD = /^rules\.(\d+)(?:\.(?:allow|deny)(?:\.(\w+)(?:\.(.+))?)?)?$/;
