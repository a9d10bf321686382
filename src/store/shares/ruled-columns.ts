// What the columns of before say of a share with rules, or with a login at several providers. A version that
// knows neither reads those alone, and is to let nobody in: it finds a login with a provider that cannot
// exist, and no certificate.

import { namedProviders, providerNames } from '../../domain/named-providers.ts';
import type { ShareSettings } from '../../domain/share-values.ts';
import type { SettingColumns } from './setting-columns.ts';

export type RuledColumns = {
  /** As JSON, what `oauth_provider` and `client_certificate` are; null where they say it themselves. */
  readonly ruled: string | null;
  /** `,corp,google,`; null where `oauth_provider` says it. */
  readonly rule_providers: string | null;
};

export function guarded(settings: ShareSettings, columns: SettingColumns): SettingColumns & RuledColumns {
  if (!isRuled(settings)) return { ...columns, ruled: null, rule_providers: null };
  const { oauth_provider, client_certificate } = columns;
  const names = namedProviders(settings);
  return {
    ...columns,
    oauth_provider: NO_PROVIDER as SettingColumns['oauth_provider'],
    client_certificate: null as SettingColumns['client_certificate'],
    ruled: JSON.stringify({ oauth_provider, client_certificate }),
    rule_providers: names.length === 0 ? null : `,${names.join(',')},`,
  };
}

/** What a version of before set since then holds. */
export function unguarded(row: SettingColumns & RuledColumns): SettingColumns {
  const isGuarded = (row.oauth_provider as string | null) === NO_PROVIDER && row.ruled !== null;
  return isGuarded ? { ...row, ...(JSON.parse(row.ruled) as Partial<SettingColumns>) } : row;
}

/** The names in `rule_providers`. */
export function namesIn(names: string | null): readonly string[] {
  return names === null ? [] : names.split(',').filter(Boolean);
}

/** Paths alone only let in more: a version of before lets in fewer. */
function isRuled({ oauthProvider, ...settings }: ShareSettings): boolean {
  const { rules, allowGroups, allowAddresses, denyEmails } = settings;
  if (providerNames(oauthProvider).length > 1) return true;
  return rules.length + allowGroups.length + allowAddresses.length + denyEmails.length > 0;
}

/** No provider has such a name: none has a parenthesis. */
export const NO_PROVIDER = '(rules)';
/** What `guarded()` keeps of a share that asks for neither a login nor a certificate. */
export const RULED_OPEN = JSON.stringify({ oauth_provider: null, client_certificate: null });
