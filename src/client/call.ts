// One call of the control API as the collections' calls make it, and what is asked for as parts of its address.

import { type FaultCode, ServiceError } from '../domain/service-error.ts';

export type Call = <Value>(method: string, path: string, input?: object) => Promise<Value>;

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
    throw new ServiceError(unknown, `Cannot find "${name}": that is no name`);
  return encodeURIComponent(name);
}
