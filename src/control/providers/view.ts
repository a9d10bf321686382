// A stored definition as the API's callers see it: without its secret, with the address to register.

import type { ProviderConfigObject, ProviderObject, ProviderStanding } from '../../wire/provider.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import {
  type FieldForm,
  type FieldName,
  type GivenValues,
  PROVIDER_FIELDS,
} from '../../domain/provider-fields.ts';
import { fieldsOf, kindOfDefinition } from '../../domain/provider-kinds.ts';
import { timeText } from '../time-text.ts';

/** What is not of the definition itself. */
type Around = {
  readonly endpointUrl: URL;
  readonly shares: number;
  readonly standing: ProviderStanding;
};

export function providerObject(
  definition: ProviderDefinition,
  { endpointUrl, shares, standing }: Around,
): ProviderObject {
  const { id, name, type } = definition;
  return {
    id,
    name,
    type,
    config: configObject(definition),
    redirectUrl: redirectUrlOf(endpointUrl, name),
    shares,
    ...standing,
    createdAt: timeText(definition.createdAt),
    updatedAt: timeText(definition.updatedAt),
  };
}

/** Contract 4.1: what is registered at the provider. */
export function redirectUrlOf(endpointUrl: URL, name: string): string {
  return `${endpointUrl.origin}/${name}/auth/callback`;
}

/** Only what the type has, so that what was read can be sent again. */
export function configObject({ type, config }: ProviderDefinition): ProviderConfigObject {
  const shown = fieldsOf(kindOfDefinition(type)).filter(([name]) => isShown(name, config[name]));
  const fields: GivenValues = Object.fromEntries(shown.map(([name]) => [name, config[name]]));
  return { clientId: config.clientId, ...fields };
}

/** Not what was never chosen: no text, no parameter, and a quiet switch that is off. */
function isShown(name: FieldName, value: unknown): boolean {
  const { form, quiet = false } = PROVIDER_FIELDS[name];
  if (value === null || value === undefined || (quiet && value === false)) return false;
  return !SHOWN_WITH_SOMETHING.has(form) || Object.keys(value).length > 0;
}

const SHOWN_WITH_SOMETHING: ReadonlySet<FieldForm> = new Set(['parameters', 'claims', 'acr values']);
