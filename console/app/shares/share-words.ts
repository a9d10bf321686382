// Shares in words.

import type { ShareObject } from '../../../src/wire/share.ts';
import { isAppImage } from '../../../src/domain/app-icon.ts';
import type { AccessRuleDocument } from '../../../src/domain/access-rule.ts';
import { type LoginProviders, namedProviders, providerNames } from '../../../src/domain/named-providers.ts';
import type { Setting } from '../../../src/domain/share-setting.ts';
import { SHARE_SETTINGS, type SettingName } from '../../../src/domain/share-settings.ts';
import { hasNeeds, isUnset, SETTINGS } from '../../../src/domain/share-values.ts';
import type { Fields } from '../parts/conflict.ts';
import { ruleLine, type TitleOf } from '../../../src/domain/rule-sentence.ts';

type Certificate = NonNullable<ShareObject['clientCertificate']>;

export function targetText({
  target,
  tunnel,
  behind,
}: Pick<ShareObject, 'target' | 'tunnel' | 'behind'>): string {
  if (behind) return 'behind its own proxy';
  if (target !== null) return target;
  return tunnel === 'ephemeral' ? 'an agent, while it runs' : 'agents, through tunnels';
}

/** Gateways note each agent that serves a share about once a minute. */
export function isServed({ agentSeenAt }: Pick<ShareObject, 'agentSeenAt'>, now: number): boolean {
  return agentSeenAt !== null && now - Date.parse(agentSeenAt) < SERVED_MS;
}

/** Whether people log in there, also where its rules alone say at which providers. */
export function hasLogins(share: Pick<ShareObject, 'oauthProvider' | 'rules'>): boolean {
  return namedProviders(share).length > 0;
}

/** In one line: who gets in. Whatever lets in more than its login and certificate is said, too. */
export function admissionText(share: ShareObject, titleOf: TitleOf): string {
  const { oauthProvider, clientCertificate, rules, allowPaths } = share;
  if (share.open) return 'everyone';
  const paths = allowPaths.length === 0 ? '' : ', and everyone at its open paths';
  if (oauthProvider === null && clientCertificate === null) return `by its rules${paths}`;
  return `${identityText(share, titleOf)}${rules.length === 0 ? '' : ', and by its rules'}${paths}`;
}

function identityText(share: ShareObject, titleOf: TitleOf): string {
  const { clientCertificate: certificate } = share;
  if (certificate === null) return loginText(share, titleOf);
  if (share.oauthProvider === null) return `whoever holds ${certificateText(certificate)}`;
  return share.access === 'either'
    ? `${loginText(share, titleOf)}, or ${certificateText(certificate)}`
    : `${loginText(share, titleOf)}, with ${certificateText(certificate)}`;
}

function loginText({ oauthProvider, oauthEmailAddressPatterns }: ShareObject, titleOf: TitleOf): string {
  const [first, ...others] = oauthEmailAddressPatterns;
  const providers = providerNames(oauthProvider).map(titleOf).join(' or ');
  if (first === undefined) return `any login at ${providers}`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${first}${more}, by ${providers}`;
}

export function certificateText(certificate: Certificate): string {
  return sectionText(SHARE_SETTINGS.clientCertificate, certificate);
}

/** Every setting by what it is called on the page, for a comparison of two versions. */
export function shareFields(share: ShareObject): Fields {
  const settings = SETTINGS.flatMap(([name, { kind, form }]) =>
    form.section === undefined || kind === 'confirmation'
      ? []
      : [[form.label, settingText(share, name) ?? '']],
  );
  return {
    State: share.enabled ? 'on' : 'off',
    Target: targetText(share),
    ...Object.fromEntries(settings),
    'Answers at': share.hosts.join('\n'),
  };
}

/** Null for what does not count at this share, and for what is shown nowhere. */
export function settingText(share: ShareObject, name: SettingName): string | null {
  const setting: Setting = SHARE_SETTINGS[name];
  const { kind, form } = setting;
  if (kind === 'confirmation' || !hasNeeds(setting, share)) return null;
  const value: unknown = share[name];
  if (form.none !== undefined && isUnset(setting, value)) return form.none;
  // What nobody can set here is shown where it is set.
  if (form.readOnly === true && isUnset(setting, value)) return null;
  switch (kind) {
    case 'names':
      return providerNames(value as LoginProviders).join('\n');
    case 'texts':
      return (value as readonly string[]).join('\n');
    case 'rules':
      return (value as readonly AccessRuleDocument[]).map((rule) => ruleLine(rule)).join('\n');
    case 'choice':
      return setting.choices[value as string] ?? '';
    case 'section':
      return sectionText(setting, value as Parts);
    case 'switch':
      return value === true ? 'on' : 'off';
    default:
      return kind === 'text' && setting.syntax === 'appIcon' && isAppImage(String(value))
        ? 'an image'
        : String(value ?? '');
  }
}

type Parts = Readonly<Record<string, unknown>>;

function sectionText({ form, parts }: Pick<Section, 'form' | 'parts'>, value: Parts): string {
  const said = Object.entries(parts).flatMap(([name, part]) => {
    const text = value[name] ?? null;
    return text === null ? [] : [`${part.form.before ?? ''}${String(text)}`];
  });
  return [...(form.before === undefined ? [] : [form.before]), ...said].join(' ');
}

type Section = Extract<Setting, { readonly kind: 'section' }>;

/** As the service counts it: two notes that were not taken. */
const SERVED_MS = 120_000;
