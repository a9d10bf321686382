// The sections of an account's state, and what each takes: the permissions of the operations that list and
// change its things one by one.

import type { AccountState, ThingKind } from '../../wire/state.ts';
import { authorize, isAllowed, type Permission } from '../authorize.ts';
import type { Caller } from '../control-deps.ts';

export type SectionName = keyof AccountState;

const SECTIONS = {
  providers: { kind: 'provider', read: 'providers.read', write: 'providers.write' },
  shares: { kind: 'share', read: 'shares.read', write: 'shares.write' },
  hosts: { kind: 'host', read: 'shares.read', write: 'shares.write' },
  tokens: { kind: 'token', read: 'tokens.read', write: 'tokens.write' },
  webhooks: { kind: 'webhook', read: 'webhooks.read', write: 'webhooks.write' },
  certificatePolicy: {
    kind: 'certificate policy',
    read: 'certificates.read',
    write: 'certificates.write',
  },
} as const satisfies Readonly<
  Record<SectionName, { readonly kind: ThingKind; readonly read: Permission; readonly write: Permission }>
>;

const NAMES = Object.keys(SECTIONS) as readonly SectionName[];

/** Those that the caller may see. */
export function readableSections(caller: Caller): ReadonlySet<SectionName> {
  return new Set(NAMES.filter((name) => isAllowed(caller, SECTIONS[name].read)));
}

/** Those of a state. Throws `not_allowed` for one that the caller may not see. */
export function managedSections(caller: Caller, state: AccountState): ReadonlySet<SectionName> {
  const managed = NAMES.filter((name) => state[name] !== undefined);
  for (const name of managed) authorize(caller, SECTIONS[name].read);
  return new Set(managed);
}

/** Throws `not_allowed`. */
export function authorizeChange(caller: Caller, kind: ThingKind): void {
  for (const name of NAMES) if (SECTIONS[name].kind === kind) authorize(caller, SECTIONS[name].write);
}

/** Whether the caller may change what the section has. */
export function mayChange(caller: Caller, name: SectionName): boolean {
  return isAllowed(caller, SECTIONS[name].write);
}
