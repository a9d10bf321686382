// All headers that an app may be told of somebody by, each once, and empty where there is nothing to tell: a
// proxy that copies them overwrites what a client sent under those names.

import { IDENTITY_PARTS } from '../../domain/identity-part.ts';
import type { WrittenFields } from '../upstream/written-fields.ts';

/** Flat. `told`: of whoever was let in; null for nobody in particular. */
export function everyIdentityHeader(prefix: string, told: WrittenFields | null): readonly string[] {
  const values = new Map(namesOf(prefix).map((name) => [name, '']));
  const headers = told?.headers ?? [];
  for (let index = 0; index < headers.length; index += 2) values.set(headers[index]!, headers[index + 1]!);
  return [...values].flat();
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
