// Shares as people read them.

import type { ShareObject } from '../../wire/share.ts';
import type { AccessRuleDocument } from '../../domain/access-rule.ts';
import { isAppImage } from '../../domain/app-icon.ts';
import { providerNames } from '../../domain/named-providers.ts';
import { ruleText } from '../../domain/rule-text.ts';
import type { Setting } from '../../domain/share-setting.ts';
import { hasNeeds, isUnset, SETTINGS } from '../../domain/share-values.ts';
import { alignedRows, tableText } from '../columns.ts';
import { plain, type Terminal } from '../terminal.ts';

/** The address first, alone on its line, so that it can be cut out or clicked. */
export function shareText(share: ShareObject): string {
  return `${plain(share.url)}\n\n${alignedRows([
    ['name', share.name],
    ...(share.hosts.length < 2 ? [] : [['also at', share.hosts.slice(1).join(', ')]]),
    ['target', targetText(share)],
    ['login', loginText(share)],
    ...settingRows(share),
    ...(share.ownerIsMember === false ? ([['note', 'the owner is not a member']] as const) : []),
    ['state', stateText(share)],
    ['id', share.id],
  ])}`;
}

export function shareTable(shares: readonly ShareObject[], terminal: Pick<Terminal, 'width'>): string {
  const isOwned = shares.some(({ owner }) => owner !== null);
  return tableText(
    [
      ['NAME', 'URL', 'TARGET', 'LOGIN', 'STATE', ...(isOwned ? ['OWNER'] : [])],
      ...shares.map((share) => [
        share.name,
        share.url,
        targetText(share),
        loginText(share),
        stateText(share),
        ...(isOwned ? [ownerText(share) ?? '-'] : []),
      ]),
    ],
    terminal,
  );
}

/** An owner who left stays named. */
function ownerText({ owner, ownerIsMember }: ShareObject): string | null {
  return owner !== null && ownerIsMember === false ? `${owner} (not a member)` : owner;
}

function targetText({ target, tunnel, behind }: ShareObject): string {
  if (behind) return 'behind its own proxy';
  return target ?? (tunnel === 'reserved' ? 'served by agents' : 'served by an agent, while it runs');
}

export function loginText(share: ShareObject): string {
  const { oauthProvider, clientCertificate, access, rules, open } = share;
  const certificate = clientCertificate === null ? [] : ['certificate'];
  const names = providerNames(oauthProvider).join(' or ');
  const isSeveral = Array.isArray(oauthProvider) && certificate.length > 0;
  const login = names === '' ? [] : [isSeveral ? `(${names})` : names];
  const text = [...login, ...certificate].join(access === 'either' ? ' or ' : ' and ');
  if (rules.length === 0) return text === '' ? 'none: open to everyone' : text;
  const byRules = open ? 'open to everyone by its rules' : 'by its rules';
  return text === '' ? byRules : `${text}, and ${byRules}`;
}

/** Those that have a line of their own. */
export function settingRows(share: ShareObject): readonly (readonly [string, string])[] {
  return SETTINGS.flatMap(([name, setting]): (readonly [string, string])[] => {
    const { line } = setting;
    const text = hasNeeds(setting, share) ? valueText(setting, share[name]) : null;
    return line?.title === undefined || text === null ? [] : [[line.title, text]];
  });
}

/** Null where there is nothing to say. */
function valueText(setting: Setting, value: unknown): string | null {
  const { none = null, before = '' } = setting.line ?? {};
  if (isUnset(setting, value)) return none;
  if (setting.kind === 'texts') return (value as readonly string[]).join(', ');
  if (setting.kind === 'rules') return rulesText(value as readonly AccessRuleDocument[]);
  if (setting.kind === 'text' && setting.syntax === 'appIcon' && isAppImage(String(value))) return 'an image';
  if (setting.kind !== 'section') return `${before}${String(value)}`;
  const parts = value as Readonly<Record<string, string | null>>;
  const said = Object.entries(setting.parts).flatMap(([name, { line }]) => {
    const part = parts[name] ?? null;
    return part === null ? [] : [`${line?.before ?? ''}${part}`];
  });
  return said.join(', ') || (setting.line?.any ?? '');
}

/** One a line, with its number, as errors name it. */
function rulesText(rules: readonly AccessRuleDocument[]): string {
  return rules.map((rule, index) => `${index + 1}. ${ruleText(rule)}`).join(' | ');
}

function stateText(share: ShareObject): string {
  return share.enabled ? 'enabled' : 'disabled';
}
