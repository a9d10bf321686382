// How a provider is shown where people choose one: a name and an icon (DESIGN "Several providers").

import { kindOf } from './provider-kinds.ts';
import type { UnkeyedSettings } from './provider-settings.ts';

export type ProviderAppearance = {
  readonly displayName: string;
  /** One of `PROVIDER_ICONS` or a `data:` URL; null is the first letter of the name. */
  readonly icon: string | null;
};

/** Without a name of its own: "Google" for `google`, and else what it is called in addresses. */
export function appearanceOf({ displayName, icon, name, type }: AppearanceSettings): ProviderAppearance {
  const { title, suggestedName, isGeneric } = kindOf(type);
  const known = !isGeneric && name === suggestedName ? title : name;
  return { displayName: displayName ?? known, icon: icon ?? null };
}

type AppearanceSettings = Pick<UnkeyedSettings, 'displayName' | 'icon' | 'name' | 'type'>;
