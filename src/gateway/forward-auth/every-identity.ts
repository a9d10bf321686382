// All headers that an app may be told of somebody by, each once, and empty where there is nothing to tell: a
// proxy that copies them overwrites what a client sent under those names.

import { IDENTITY_PARTS } from '../../domain/identity-part.ts';
import type { WrittenFields } from '../upstream/written-fields.ts';

/** Flat. `told`: of whoever was let in; null for nobody in particular. */
export type EveryIdentity = (told: WrittenFields | null) => readonly string[];

/** For one `gateway.identity_header_prefix`. What is told of somebody is made once. */
export function createEveryIdentity(prefix: string): EveryIdentity {
  const names = namesOf(prefix);
  const made = new WeakMap<WrittenFields, readonly string[]>();
  const nobody = names.flatMap((name) => [name, '']);
  return (told) => {
    if (told === null) return nobody;
    const known = made.get(told);
    if (known !== undefined) return known;
    const values = new Map(names.map((name) => [name, '']));
    const { headers } = told;
    for (let index = 0; index < headers.length; index += 2) values.set(headers[index]!, headers[index + 1]!);
    const every = [...values].flat();
    made.set(told, every);
    return every;
  };
}

export function namesOf(prefix: string): readonly string[] {
  return PARTS.map((part) => `${prefix}${part}`);
}

/** As `identity-headers.ts` writes them; claims are in the assertion alone. */
const PARTS: readonly string[] = [
  'provider',
  'email',
  'expires',
  ...IDENTITY_PARTS.filter((part) => part !== 'claims'),
  'cert-subject',
  'cert-serial',
  'cert-fingerprint',
  'assertion',
];
