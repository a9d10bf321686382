// What the audit says of a change to a provider definition: each field, before and after. Of its secret or
// private key it says that there is another, and never what it is.

import type { ChangeFields } from '../../domain/audit-change.ts';
import type { ClientCredential } from '../../domain/client-credential.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import type { ChangeNote } from '../change-note.ts';
import { configObject } from './view.ts';

export function providerCreated(definition: ProviderDefinition, credential: ClientCredential): ChangeNote {
  const changes = { before: null, after: providerFields(definition), secrets: credentialNames(credential) };
  return { kind: 'provider.created', provider: definition.name, changes };
}

type Modified = {
  readonly before: ProviderDefinition;
  readonly after: ProviderDefinition;
  /** Null for the one that it had. */
  readonly credential: ClientCredential | null;
};

/** `what`: the settings that were given, by name. */
export function providerModified({ before, after, credential }: Modified, what: string): ChangeNote {
  const changes = {
    before: providerFields(before),
    after: providerFields(after),
    secrets: credentialNames(credential),
  };
  const { name: provider } = after;
  return { kind: 'provider.modified', provider, reason: what || null, changes };
}

export function providerDeleted(definition: ProviderDefinition): ChangeNote {
  const changes = { before: providerFields(definition), after: null };
  return { kind: 'provider.deleted', provider: definition.name, changes };
}

export function credentialNames(credential: ClientCredential | null): readonly string[] {
  if (credential === null) return [];
  return [credential.clientSecret === null ? 'clientPrivateKey' : 'clientSecret'];
}

function providerFields(definition: ProviderDefinition): ChangeFields {
  const { name, type } = definition;
  return { name, type, ...configObject(definition) };
}
