// What the address of the audit page asks for: filters, which can be bookmarked and sent.

import type { AuditSearch } from '../../../src/wire/audit-event.ts';
import { AUDIT_RESULTS } from '../../../src/domain/audit-kind.ts';
import { kindsOf } from '../parts/audit-text.ts';

export type AuditInput = Pick<
  AuditSearch,
  'text' | 'kind' | 'result' | 'email' | 'share' | 'provider' | 'actor' | 'since' | 'until'
>;

/** The members of the address that are filters. */
export const FILTERS = [
  'text',
  'kind',
  'result',
  'email',
  'share',
  'provider',
  'actor',
  'within',
  'since',
  'until',
] as const;

export const RANGES = [
  { value: 'hour', title: 'Last hour', ms: 3_600_000 },
  { value: 'day', title: 'Last 24 hours', ms: 86_400_000 },
  { value: 'week', title: 'Last 7 days', ms: 7 * 86_400_000 },
  { value: 'month', title: 'Last 30 days', ms: 30 * 86_400_000 },
] as const;

/** Stands for a range between two times of the address. */
export const BETWEEN = 'between';

/** `now`: milliseconds since the epoch. A time that is none is left out. */
export function inputOf(query: URLSearchParams, now: number): AuditInput {
  const text = (name: string) => query.get(name)?.trim() || undefined;
  const kinds = kindsOf(text('kind') ?? '');
  return {
    kind: kinds.length === 0 ? undefined : kinds,
    text: text('text'),
    result: AUDIT_RESULTS.find((result) => result === text('result')),
    email: text('email'),
    share: text('share'),
    provider: text('provider'),
    actor: text('actor'),
    ...timesOf(query, now),
  };
}

export function isFiltered(query: URLSearchParams): boolean {
  return FILTERS.some((name) => (query.get(name) ?? '') !== '');
}

function timesOf(query: URLSearchParams, now: number): Pick<AuditInput, 'since' | 'until'> {
  const within = query.get('within');
  if (within === BETWEEN) return { since: timeOf(query.get('since')), until: timeOf(query.get('until')) };
  const range = RANGES.find(({ value }) => value === within);
  return { since: range === undefined ? undefined : new Date(now - range.ms).toISOString() };
}

/** What a field for a date and a time holds is the time of where the browser is. */
function timeOf(text: string | null): string | undefined {
  const at = text === null || text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
