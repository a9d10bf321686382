// How a provider is shown where people choose one: a name and an icon (DESIGN "Several providers").

import { displayNameFor } from './provider-display-name.ts';
import type { UnkeyedSettings } from './provider-settings.ts';

export type ProviderAppearance = {
  readonly displayName: string;
  /** One of `PROVIDER_ICONS` or a `data:` URL; null is the first letter of the name. */
  readonly icon: string | null;
};

export function appearanceOf({ icon, ...named }: AppearanceSettings): ProviderAppearance {
  return { displayName: displayNameFor(named), icon: icon ?? null };
}

type AppearanceSettings = Pick<UnkeyedSettings, 'displayName' | 'icon' | 'name' | 'type'>;
