// What somebody says of a visitor in "who would get in", as it is typed and kept in the page's address.

import type { ShareTestFacts } from '../../../src/wire/share-test.ts';
import { linesOf } from './lines-of.ts';

export type FactName = 'email' | (typeof MORE_FACTS)[number]['name'] | (typeof ABSENCES)[number]['name'];
export type FactDraft = Readonly<Record<FactName, string>>;

/** Beside the email address. `lines`: one value a line. */
export const MORE_FACTS = [
  { name: 'provider', label: 'Provider', help: 'Where the person logs in. Default: any of the share.' },
  { name: 'groups', label: 'Groups', help: 'All groups of the person, one per line.', lines: true },
  { name: 'claims', label: 'Claims', help: 'One per line: name=value.', lines: true },
  { name: 'acr', label: 'Authentication class', help: 'The acr of the login.' },
  { name: 'address', label: 'IP address', help: 'Of the client.' },
  { name: 'subject', label: 'Certificate name', help: 'The common name of a valid client certificate.' },
  { name: 'unit', label: 'Certificate unit', help: 'Its organizational unit.' },
  { name: 'token', label: 'Service token', help: 'The name of a valid token.' },
  { name: 'path', label: 'Path', help: 'Without the query: /admin/users.' },
  { name: 'method', label: 'Method', help: 'GET, POST and so on.' },
  { name: 'at', label: 'Time', help: 'Such as 2030-01-31T09:00:00Z. Default: now.' },
] as const;

/** What is left out is unknown, so that there is none must be said. */
export const ABSENCES = [
  { name: 'noGroups', label: 'No groups' },
  { name: 'noCertificate', label: 'No client certificate' },
  { name: 'noToken', label: 'No service token' },
] as const;

const NAMES: readonly FactName[] = [
  'email',
  ...MORE_FACTS.map(({ name }) => name),
  ...ABSENCES.map(({ name }) => name),
];

export function readFacts(query: URLSearchParams): FactDraft {
  return Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? ''])) as FactDraft;
}

/** The query as it is, with these facts. */
export function writeFacts(query: URLSearchParams, draft: FactDraft): URLSearchParams {
  const written = new URLSearchParams(query);
  for (const name of NAMES) {
    const value = draft[name].trim();
    if (value === '') written.delete(name);
    else written.set(name, value);
  }
  return written;
}

export function saysSomething(draft: FactDraft): boolean {
  return NAMES.some((name) => draft[name].trim() !== '');
}

export function saysMore(draft: FactDraft): boolean {
  return saysSomething({ ...draft, email: '' });
}

export function factsOf(draft: FactDraft): ShareTestFacts {
  const said = (name: FactName) => draft[name].trim() || undefined;
  const groups = linesOf(draft.groups);
  const claims = linesOf(draft.claims);
  const certificate =
    said('subject') === undefined && said('unit') === undefined
      ? undefined
      : { subject: said('subject'), unit: said('unit') };
  return {
    email: said('email'),
    provider: said('provider'),
    groups: groups.length > 0 ? groups : absent(draft.noGroups, []),
    claims: claims.length > 0 ? claimsOf(claims) : undefined,
    acr: said('acr'),
    address: said('address'),
    certificate: certificate ?? absent(draft.noCertificate, null),
    token: said('token') ?? absent(draft.noToken, null),
    path: said('path'),
    method: said('method')?.toUpperCase(),
    at: said('at'),
  };
}

function absent<T>(isSaid: string, none: T): T | undefined {
  return isSaid === '' ? undefined : none;
}

/** A name without a value has none. */
function claimsOf(lines: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const claims = new Map<string, readonly string[]>();
  for (const line of lines) {
    const [name = '', ...rest] = line.split('=');
    const value = rest.join('=').trim();
    const known = claims.get(name.trim()) ?? [];
    claims.set(name.trim(), value === '' ? known : [...known, value]);
  }
  return Object.fromEntries(claims);
}
