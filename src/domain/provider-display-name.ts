// What a provider is called where people choose one.

import { kindOf, type ProviderType } from './provider-kinds.ts';

type Named = {
  readonly name: string;
  readonly type: ProviderType;
  readonly displayName?: string | null | undefined;
};

/** Without a name of its own: "Google" for `google`, and else what it is called in addresses. */
export function displayNameFor({ displayName, name, type }: Named): string {
  const { title, suggestedName, isGeneric } = kindOf(type);
  return displayName ?? (!isGeneric && name === suggestedName ? title : name);
}
