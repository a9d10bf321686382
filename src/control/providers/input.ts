// Whether a provider definition means something (contract 2.4, DESIGN 2.1): its name, the fields that its
// type has, and what is in them. Every fault is told at once.

import type { ProviderConfigObject, ProviderCredentialObject } from '../../wire/provider.ts';
import type { DefinitionConfig } from '../../domain/provider-definition.ts';
import { FIELD_NAMES, type GivenValues, PROVIDER_FIELDS } from '../../domain/provider-fields.ts';
import {
  type DefinitionType,
  fieldsOf,
  kindOfDefinition,
  settledValues,
} from '../../domain/provider-kinds.ts';
import { isProviderName, isReservedProviderName } from '../../domain/provider-name.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { type InputFault, inputRefused } from '../input-fault.ts';
import { credentialFaults } from './credential.ts';
import type { OutboundSettings } from '../outbound-target.ts';
import { fieldFaults, missingFault } from './field-faults.ts';

/**
 * Throws `validation_failed` for what is no name, `name_reserved`, or `name_taken` for one of the
 * configuration's.
 */
export function parseNewProviderName(name: string, isConfigured: (name: string) => boolean): string {
  if (!isProviderName(name)) throw inputRefused([{ path: 'name', message: 'use 1 to 40 of a-z, 0-9 and -' }]);
  if (isReservedProviderName(name))
    throw new ServiceError('name_reserved', `Cannot name a provider "${name}": that name is reserved`);
  if (isConfigured(name))
    throw new ServiceError(
      'name_taken',
      `Cannot name a provider "${name}": the configuration has one of that name`,
    );
  return name;
}

/**
 * The configuration of a definition with what its type takes for granted. Throws `validation_failed` with
 * every fault.
 */
export async function parseProviderConfig(
  type: DefinitionType,
  given: ProviderConfigObject & ProviderCredentialObject,
  settings: OutboundSettings,
): Promise<DefinitionConfig> {
  const kind = kindOfDefinition(type);
  const faults: InputFault[] = [...foreignFields(type, given), ...credentialFaults(given)];
  const { clientId, ...fields } = tidied(given);
  const values = settledValues(kind, fields);
  for (const [name, { required }] of fieldsOf(kind)) {
    const isMissing = required === 'everywhere' && fields[name] === undefined;
    if (isMissing) faults.push(missingFault(name, kind));
    else faults.push(...(await fieldFaults({ name, value: values[name], kind }, settings)));
  }
  if (faults.length > 0) throw inputRefused(faults);
  return { ...values, clientId };
}

/** Addresses that others are made below, without a slash at their end. */
function tidied(given: ProviderConfigObject): ProviderConfigObject {
  const bases = FIELD_NAMES.filter((name) => PROVIDER_FIELDS[name].form === 'base address');
  const entries = bases.flatMap((name) => {
    const text = given[name];
    return typeof text === 'string' ? [[name, text.replace(/\/+$/, '')]] : [];
  });
  return { ...given, ...(Object.fromEntries(entries) as GivenValues) };
}

function foreignFields(type: DefinitionType, given: ProviderConfigObject): readonly InputFault[] {
  const { fields, takesPrivateKey } = kindOfDefinition(type);
  const client = ['clientId', 'clientSecret', ...(takesPrivateKey ? PRIVATE_KEY : [])];
  const own = new Set([...Object.keys(fields), ...client]);
  return Object.entries(given)
    .filter(([field, value]) => value !== undefined && !own.has(field))
    .map(([field]) => ({ path: `config.${field}`, message: `a ${type} provider has no such field` }));
}

const PRIVATE_KEY: readonly (keyof ProviderCredentialObject)[] = ['clientPrivateKey', 'clientKeyId'];
