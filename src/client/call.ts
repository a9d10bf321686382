// One call of the control API as the collections' calls make it, and what is asked for as parts of its
// address.

import type { SortName } from '../domain/list-orders.ts';
import { type FaultCode, ServiceError } from '../domain/service-error.ts';

/** Throws what the API answers, and `control_unreachable` for no whole answer. */
export type Call = {
  <Value>(method: string, path: string, input?: object): Promise<Value>;
  /** A thing as it is, with the name of its version. */
  readonly read: <Value>(path: string) => Promise<Versioned<Value>>;
  /**
   * Calls that do their work only if the thing is still that version; else `precondition_failed` is thrown.
   */
  readonly onlyIf: (condition: Condition) => Call;
  /** Calls that are given up when the signal is aborted, and throw its reason then. */
  readonly until: (signal: AbortSignal | undefined) => Call;
};

export type Versioned<Value> = {
  readonly value: Value;
  /** Another after each change (RFC 9110 section 8.8.3). */
  readonly etag: string;
};

/** Nothing given: the change is made onto whatever is there. */
export type Condition = {
  /** The `etag` of what the change was thought out for. */
  readonly ifMatch?: string | undefined;
};

export type PageInput = { readonly cursor?: string | null; readonly limit?: number };

export type SortedPageInput<Key extends string> = PageInput & {
  readonly sort?: SortName<Key> | undefined;
};

/** What is undefined or null is left out; a list becomes as many members of the same name. */
export function searchQuery(
  search: Readonly<Record<string, string | number | null | undefined | readonly string[]>>,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) query.append(name, String(each));
  return query;
}

/** A lone dot or nothing at all would name the collection instead. */
export function pathPart(name: string, unknown: FaultCode): string {
  if (name === '' || name === '.' || name === '..')
    throw new ServiceError(unknown, `Cannot find "${name}": the name is not valid`);
  return encodeURIComponent(name);
}
