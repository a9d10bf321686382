// Whom a login alone lets in, in words: who has an account at the provider, and an address that its
// definition allows.

import type { ProviderTitle } from '../parts/provider-titles.ts';

export type WhoLogsIn = {
  readonly people: string;
  /** Each provider asks more of an address than to exist. */
  readonly isLimited: boolean;
};

export function whoLogsIn(names: readonly string[], titles: readonly ProviderTitle[]): WhoLogsIn {
  const chosen = names.map((name) => {
    const { title = name, emailPatterns = [] } = titles.find((each) => each.name === name) ?? {};
    return { title, emailPatterns };
  });
  const open = chosen.filter(({ emailPatterns }) => emailPatterns.length === 0);
  const limited = chosen.filter(({ emailPatterns }) => emailPatterns.length > 0);
  const parts = [
    ...(open.length === 0
      ? []
      : [`everyone who has an account at ${open.map(({ title }) => title).join(' or ')}`]),
    ...limited.map(
      ({ title, emailPatterns }) =>
        `everyone at ${title} whose address matches ${emailPatterns.join(' or ')}`,
    ),
  ];
  const people = `${parts.join(', and ')} ${parts.length > 1 ? 'get' : 'gets'} in`;
  return { people: `${people.slice(0, 1).toUpperCase()}${people.slice(1)}`, isLimited: open.length === 0 };
}
