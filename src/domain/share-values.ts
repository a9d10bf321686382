// The settings of a share together: as somebody says them, as the API shows them, and as they are kept.

import { namedProviders } from './named-providers.ts';
import type { Kept, Said, Setting, Shown } from './share-setting.ts';
import { SHARE_SETTINGS, type SettingName } from './share-settings.ts';

/** As somebody says them; left out is not said. */
export type SaidSettings = {
  readonly [N in SettingName]?: Said<(typeof SHARE_SETTINGS)[N]> | undefined;
};

/** As the API shows them. */
export type ShownSettings = { readonly [N in SettingName]: Shown<(typeof SHARE_SETTINGS)[N]> };

/** All but confirmations. */
type KeptName = {
  [N in SettingName]: (typeof SHARE_SETTINGS)[N]['kind'] extends 'confirmation' ? never : N;
}[SettingName];

/** Durations have their unit in the name. */
type KeptKey<N extends KeptName> = (typeof SHARE_SETTINGS)[N]['kind'] extends 'duration' ? `${N}Ms` : N;

/** As they are kept, and as the gateway has them. */
export type ShareSettings = { readonly [N in KeptName as KeptKey<N>]: Kept<(typeof SHARE_SETTINGS)[N]> };

/** What the gateway never has. */
export type SettingForPeople = {
  [N in KeptName]: (typeof SHARE_SETTINGS)[N] extends { readonly forPeople: true } ? N : never;
}[KeptName];

/** What the gateway and its rules are made of. */
export type RoutedSettings = Omit<ShareSettings, SettingForPeople>;

export const SETTINGS = Object.entries(SHARE_SETTINGS) as readonly (readonly [SettingName, Setting])[];

export const KEPT_SETTINGS = SETTINGS.filter(([, { kind }]) => kind !== 'confirmation');

export const SETTINGS_FOR_PEOPLE = KEPT_SETTINGS.flatMap(([name, { forPeople }]) =>
  forPeople === true ? [name] : [],
) as readonly SettingForPeople[];

/** What a share is before anything was said of it. */
export const UNSET_SETTINGS = Object.fromEntries(
  KEPT_SETTINGS.map(([name, setting]) => [keptKey(name, setting), setting.unset]),
) as unknown as ShareSettings;

/** Whether settings, as they are kept or shown, have all that one of them needs. */
export function hasNeeds({ needs = [], orRules }: Setting, settings: object): boolean {
  const values = settings as Readonly<Record<string, unknown>>;
  if (needs.every((name) => values[name] !== null)) return true;
  return orRules === true && rulesNameProviders(values['rules'] as ShareSettings['rules']);
}

/**
 * A login keeps the default that it was made with. Where rules alone are the login, what nobody said is left
 * to the gateway.
 */
export function isLeftAsItIs({ orRules }: Setting, said: unknown, settings: object): boolean {
  const { oauthProvider } = settings as Pick<ShareSettings, 'oauthProvider'>;
  return orRules === true && said === undefined && oauthProvider === null;
}

export function rulesNameProviders(rules: ShareSettings['rules']): boolean {
  return namedProviders({ oauthProvider: null, rules }).length > 0;
}

/** Those of whatever has more. */
export function keptSettings(share: ShareSettings): ShareSettings {
  const keys = Object.keys(UNSET_SETTINGS) as readonly (keyof ShareSettings)[];
  return Object.fromEntries(keys.map((key) => [key, share[key]])) as ShareSettings;
}

/** Without what is for people alone. */
export function routedSettings(share: ShareSettings): RoutedSettings {
  return Object.fromEntries(ROUTED_NAMES.map((key) => [key, share[key]])) as RoutedSettings;
}

export const ROUTED_NAMES = (Object.keys(UNSET_SETTINGS) as readonly (keyof ShareSettings)[]).filter(
  (name): name is keyof RoutedSettings => !SETTINGS_FOR_PEOPLE.some((each) => each === name),
);

export function keptKey(name: string, { kind }: Pick<Setting, 'kind'>): string {
  return kind === 'duration' ? `${name}Ms` : name;
}

/** `oauth_provider`: the name in files and columns. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Whether a value that somebody says, or that is shown, is that of a share that has none of it. */
export function isUnset(setting: Pick<Setting, 'kind' | 'unset'>, value: unknown): boolean {
  if (setting.kind === 'texts' || setting.kind === 'rules') return Array.isArray(value) && value.length === 0;
  if (setting.kind === 'section')
    return value === null || (value as { readonly required?: boolean }).required === false;
  return value === setting.unset;
}
