// What becomes of a definition's configuration (contract 2.4) by a change of some of its fields.

import type { ProviderConfigObject, ProviderChanges } from '../../wire/provider.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import type { GivenValues } from '../../domain/provider-fields.ts';
import { followingFields, kindOfDefinition } from '../../domain/provider-kinds.ts';
import { inputRefused } from '../input-fault.ts';
import { configObject } from './view.ts';

/**
 * The whole configuration that is meant: what is not named stays, what is null goes. Null when none of it is
 * to change. Fields say what they mean for one type alone, so another type starts from nothing; throws
 * `validation_failed` when it gets no client id.
 */
export function mergedConfig(
  before: ProviderDefinition,
  { type = before.type, config: changes }: ProviderChanges,
): ProviderConfigObject | null {
  if (type !== before.type) return ofOtherType(changes);
  if (changes === undefined) return null;
  const { clientId, ...others } = settled(before);
  return { clientId: changes.clientId ?? clientId, ...applied(others, changes) };
}

/** The fields that a change names, for the audit log. Never what they hold. */
export function namedFields({ type, config = {} }: ProviderChanges): string {
  const given = Object.entries(config).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  return [...(type === undefined ? [] : ['type']), ...given].join(', ');
}

function ofOtherType(changes: ProviderChanges['config']): ProviderConfigObject {
  if (changes === undefined)
    throw inputRefused([{ path: 'config', message: 'another type needs its own configuration' }]);
  if (changes.clientId === undefined)
    throw inputRefused([{ path: 'config.clientId', message: 'another type needs its own client id' }]);
  return { clientId: changes.clientId, ...applied({}, changes) };
}

/**
 * Without what only followed from other fields, since those may change: the API's address from the server's.
 */
function settled(definition: ProviderDefinition): ProviderConfigObject {
  const config = configObject(definition);
  const kind = kindOfDefinition(definition.type);
  const followed: readonly string[] = followingFields(kind, config);
  const kept = Object.entries(config).filter(([field]) => !followed.includes(field));
  return { ...(Object.fromEntries(kept) as GivenValues), clientId: config.clientId };
}

type Others = Omit<ProviderConfigObject, 'clientId'>;

function applied(base: Others, changes: NonNullable<ProviderChanges['config']>): Others {
  const {
    clientId: _id,
    clientSecret: _secret,
    clientPrivateKey: _key,
    clientKeyId: _keyId,
    ...named
  } = changes;
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  const whole = { ...base, ...Object.fromEntries(given) };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== null));
}
