// Where each value of `GET /v1/settings` was read: its key in `doorward.yaml`, whether the file has it, and
// whether it is the default. The line is for admins. No value of the configuration passes through here.

import { LIMIT_FIELDS } from '../../config/describe.ts';
import { deliveriesKeptMs } from '../../store/webhooks/logged-delivery.ts';
import type { SettingOrigin, SettingsObject } from '../../wire/settings.ts';
import type { ControlSettings, ReadConfiguration } from '../control-deps.ts';

/** Of each value of the answer. */
export function settingOrigins(
  settings: ControlSettings,
  { limits, providers }: Pick<SettingsObject, 'limits' | 'providers'>,
  tellsLines: boolean,
): readonly SettingOrigin[] {
  const { configuration } = settings;
  const keys: readonly (readonly [setting: string, key: string | null])[] = [
    ['addresses.shares', 'gateway.public_url'],
    ['addresses.login', 'oauth.endpoint_url'],
    ['addresses.console', 'control.public_url'],
    ['addresses.customHostsWithin', customHostsKey(settings)],
    ['addresses.automaticCertificates', 'acme'],
    ['lifetimes.sessions', 'oauth.session_lifetime'],
    ['lifetimes.consoleSessions', null],
    ['retention.auditEvents', AUDIT_RETENTION],
    ['retention.endedSessions', 'store.ended_retention'],
    ['retention.webhookDeliveries', deliveriesKey(settings)],
    ...limits.map(({ limit }) => [`limits.${limit}`, LIMIT_KEYS.get(limit) ?? null] as const),
    ['brand.name', 'brand.name'],
    ['brand.logo', 'brand.logo_file'],
    ['brand.contact', 'brand.contact'],
    ...providers.map(({ name }) => [`providers.${name}`, providerKey(settings, name)] as const),
  ];
  return keys.map(([setting, key]) => originOf(configuration, { setting, key, tellsLines }));
}

type Asked = { readonly setting: string; readonly key: string | null; readonly tellsLines: boolean };

function originOf(
  { written, awaitsRestart }: ReadConfiguration,
  { setting, key, tellsLines }: Asked,
): SettingOrigin {
  if (key === null) return { setting, key, from: 'program', isDefault: null, line: null };
  const said = written.get(key);
  const line = tellsLines ? (said?.line ?? null) : null;
  // What the file says of it by now is not what holds.
  if (awaitsRestart.includes(key)) return { setting, key, from: 'start', isDefault: null, line };
  if (said === undefined) return { setting, key, from: 'default', isDefault: true, line };
  return { setting, key, from: 'file', isDefault: said.isDefault, line };
}

/** Over https any host will do, since no cookie is shared. */
function customHostsKey({ shareBase }: ControlSettings): string {
  return shareBase.scheme === 'https' ? 'gateway.public_url' : 'oauth.cookie_domain';
}

function deliveriesKey({ kept: { auditRetentionMs } }: ControlSettings): string | null {
  const isShorter = deliveriesKeptMs(auditRetentionMs) === auditRetentionMs;
  return isShorter ? AUDIT_RETENTION : null;
}

/** Providers of the configuration stand in the order of the file. */
function providerKey({ console }: ControlSettings, name: string): string | null {
  const index = console.configuredProviders.indexOf(name);
  return index === -1 ? null : `oauth.providers[${index}]`;
}

/** `apiKeys` in the API is `api_keys` in the file. */
const LIMIT_KEYS: ReadonlyMap<string, string> = new Map(
  Object.keys(LIMIT_FIELDS).map((key) => [
    key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    `limits.${key}`,
  ]),
);
const AUDIT_RETENTION = 'store.audit_retention';
