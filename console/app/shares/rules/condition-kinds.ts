// The conditions of a rule as people choose them: what each is called, and what is to be typed.

import { type ConditionName, LOGIN_CONDITIONS, type RuleEffect } from '../../../../src/domain/access-rule.ts';

export type ConditionKind = {
  readonly name: ConditionName;
  readonly label: string;
  readonly help: string;
  readonly placeholder?: string;
};

export type ConditionGroup = { readonly title: string; readonly kinds: readonly ConditionKind[] };

export const CONDITION_GROUPS: readonly ConditionGroup[] = [
  {
    title: 'Who',
    kinds: [
      { name: 'providers', label: 'Providers', help: 'Where the person logs in. Any one is enough.' },
      {
        name: 'emails',
        label: 'Email addresses',
        help: 'Patterns, one per line. Any match is enough.',
        placeholder: '*@example.com',
      },
      {
        name: 'groups',
        label: 'Groups',
        help: 'Groups of the provider, one per line; * stands for any characters. Any match is enough.',
        placeholder: 'eng-*',
      },
      {
        name: 'claims',
        label: 'Claims',
        help: 'What the provider says of the person. Every claim is needed; of its values, any match is enough.',
      },
      {
        name: 'certificate',
        label: 'Client certificate',
        help: 'A valid certificate of this account. Patterns; leave both empty for any certificate.',
      },
      {
        name: 'tokens',
        label: 'Service tokens',
        help: 'Names of service tokens, one per line; * stands for any characters.',
        placeholder: 'deploy-*',
      },
      { name: 'everyone', label: 'Everyone', help: 'Anyone, without a login or a certificate.' },
    ],
  },
  {
    title: 'From where',
    kinds: [
      {
        name: 'addresses',
        label: 'IP addresses',
        help: 'Ranges or addresses, one per line. The client’s IP address is in one of them.',
        placeholder: '10.0.0.0/8',
      },
      {
        name: 'outside',
        label: 'Outside of IP addresses',
        help: 'Ranges or addresses, one per line. The client’s IP address is in none of them.',
        placeholder: '10.0.0.0/8',
      },
    ],
  },
  {
    title: 'For what',
    kinds: [
      {
        name: 'paths',
        label: 'Paths',
        help: 'One per line: a whole path, or the start of one, ending in /*.',
        placeholder: '/healthz',
      },
      { name: 'methods', label: 'Methods', help: 'Any one is enough.' },
    ],
  },
  {
    title: 'When and how',
    kinds: [
      {
        name: 'until',
        label: 'Until',
        help: 'The rule expires at the end of this day in UTC, or at the time you enter.',
      },
      {
        name: 'acr',
        label: 'Login class (acr)',
        help: 'Authentication classes of the provider, one per line. Other logins are sent to log in again.',
        placeholder: 'phr',
      },
      {
        name: 'max_age',
        label: 'Age of the login',
        help: 'How long ago the person may have proved who they are, such as 30m or 12h.',
        placeholder: '12h',
      },
    ],
  },
];

export const CONDITION_KINDS = CONDITION_GROUPS.flatMap(({ kinds }) => kinds);

export function kindOf(name: ConditionName): ConditionKind {
  const found = CONDITION_KINDS.find((kind) => kind.name === name);
  if (found === undefined) throw new TypeError(`Cannot name the condition ${name}`);
  return found;
}

/** Those that can be added to a rule that has some: each once, and not every two together. */
export function addableGroups(effect: RuleEffect, has: readonly ConditionName[]): readonly ConditionGroup[] {
  const hasIdentity = has.some((name) => isOf(IDENTITIES, name));
  const mayAdd = ({ name }: ConditionKind) => {
    if (has.includes(name)) return false;
    if (effect === 'deny') return name !== 'max_age';
    if (name === 'everyone') return !hasIdentity;
    return !(has.includes('everyone') && isOf(IDENTITIES, name));
  };
  return CONDITION_GROUPS.map(({ title, kinds }) => ({ title, kinds: kinds.filter(mayAdd) })).filter(
    ({ kinds }) => kinds.length > 0,
  );
}

/** In a rule that lets in, what a login tells needs the providers that tell it. */
export function needsProviders(effect: RuleEffect, name: ConditionName): boolean {
  return effect === 'allow' && name !== 'providers' && isOf(LOGIN_CONDITIONS, name);
}

function isOf(names: readonly ConditionName[], name: ConditionName): boolean {
  return names.includes(name);
}

const IDENTITIES: readonly ConditionName[] = [...LOGIN_CONDITIONS, 'certificate', 'tokens'];
