// What the columns of before say of a share with rules, or with a login at several providers. A version that
// knows neither reads those alone, and is to let nobody in: it finds a login with a provider that cannot
// exist, and no certificate.

import type { CertificateRule } from '../../domain/certificate-rule.ts';
import { namedProviders, providerNames } from '../../domain/named-providers.ts';
import type { ShareSettings } from '../../domain/share-values.ts';
import { type SettingColumns, settingsOf } from './setting-columns.ts';

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

/**
 * What a version of before set since then holds. It saw no certificate that was asked for, and whoever set
 * one there saw no rules: of what the two may mean together, the reading counts that lets in fewer.
 */
export function settingsIn(row: SettingColumns & RuledColumns): ShareSettings {
  const settings = settingsOf(row);
  if (row.ruled === null) return settings;
  const kept = settingsOf({ ...row, ...(JSON.parse(row.ruled) as Partial<SettingColumns>) });
  const isGuarded = (row.oauth_provider as string | null) === NO_PROVIDER;
  const { oauthProvider } = isGuarded ? kept : settings;
  if (isGuarded && settings.clientCertificate !== null)
    return onlyWith(settings.clientCertificate, { ...settings, oauthProvider });
  if (isGuarded) return kept;
  const isLost = settings.clientCertificate === null && settings.access === 'all';
  return isLost
    ? { ...settings, clientCertificate: besideLogin(kept.clientCertificate, settings) }
    : settings;
}

/** Everything that lets somebody in asks for the certificate, too. */
function onlyWith(certificate: CertificateRule, settings: ShareSettings): ShareSettings {
  const rules = settings.rules.map((rule) => {
    if (!('allow' in rule)) return rule;
    const { everyone: _everyone, ...allow } = rule.allow;
    return { allow: { certificate, ...allow } };
  });
  const clientCertificate = besideLogin(certificate, settings);
  return { ...settings, clientCertificate, access: 'all', allowPaths: [], rules };
}

/** Without a login, and beside rules that allow, a certificate would be one more way in. */
function besideLogin(
  certificate: CertificateRule | null,
  { oauthProvider, rules }: ShareSettings,
): CertificateRule | null {
  return oauthProvider !== null || !rules.some((rule) => 'allow' in rule) ? certificate : null;
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
