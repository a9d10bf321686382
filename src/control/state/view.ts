// An account's state as it is told: what a thing has of itself is left out, and lists are in one order, so
// that two accounts that are the same tell the same. No secret is in it.

import { isOpenToEveryone } from '../../domain/open-share.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { ServiceTokenRow } from '../../store/tokens/service-token.ts';
import type { Webhook } from '../../store/webhooks/webhook.ts';
import type { PolicyChanges } from '../../wire/certificate.ts';
import type { AccountState, StateProvider, StateShare, StateToken, StateWebhook } from '../../wire/state.ts';
import { OPEN_POLICY, type CertificatePolicy } from '../../domain/certificate.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import { KEPT_SETTINGS, isUnset } from '../../domain/share-values.ts';
import { policyObject } from '../certificates/view.ts';
import { configObject } from '../providers/view.ts';
import { shownSettings } from '../shares/view.ts';
import { timeText } from '../time-text.ts';
import type { SectionName } from './sections.ts';
import { isOfState, type Snapshot } from './snapshot.ts';

export function stateOf(
  { providers, shares, hosts, tokens, webhooks, certificatePolicy }: Snapshot,
  sections: ReadonlySet<SectionName>,
  now: number,
): AccountState {
  const names = new Map(shares.map(({ id, name }) => [id, name]));
  const policy = certificatePolicy === null ? {} : policyState(certificatePolicy.policy);
  return {
    ...(providers === null ? {} : { providers: providers.map(providerState) }),
    ...(sections.has('shares') ? { shares: shares.filter(isOfState).map(shareState) } : {}),
    ...(hosts === null ? {} : { hosts: hosts.map(({ host, shareName }) => ({ host, share: shareName })) }),
    ...(tokens === null
      ? {}
      : { tokens: tokens.filter((token) => isValid(token, now)).map((token) => tokenState(token, names)) }),
    ...(webhooks === null ? {} : { webhooks: webhooks.map(webhookState).toSorted(byText) }),
    ...(Object.keys(policy).length === 0 ? {} : { certificatePolicy: policy }),
  };
}

/** One that expired opens nothing, and stands in nobody's way. */
export function isValid({ expiresAt }: ServiceTokenRow, now: number): boolean {
  return expiresAt > now;
}

export function providerState(definition: ProviderDefinition): StateProvider {
  const { name, type } = definition;
  return { name, type, config: configObject(definition) };
}

export function shareState(row: ShareRow): StateShare {
  const shown: Readonly<Record<string, unknown>> = shownSettings(row);
  const settings = KEPT_SETTINGS.flatMap(([name, setting]) => {
    const value = shown[name];
    const isDefault = setting.kind === 'duration' && value === setting.default;
    if (value === null || isDefault || isUnset(setting, value)) return [];
    return [[name, setting.kind === 'section' ? withoutNulls(value as object) : value] as const];
  });
  return {
    name: row.name,
    ...(row.tunnel === null ? {} : { tunnel: 'reserved' as const }),
    ...(row.target === null ? {} : { target: row.target }),
    ...(isOpenToEveryone(row) ? { open: true } : {}),
    ...Object.fromEntries(settings),
  };
}

/** Names of shares that are gone are left out. */
export function tokenState(
  { name, shareIds, expiresAt }: ServiceTokenRow,
  names: ReadonlyMap<string, string>,
): StateToken {
  const shares = shareIds.flatMap((id) => names.get(id) ?? []).toSorted();
  return { name, shares, expiresAt: timeText(expiresAt) };
}

export function webhookState({
  name,
  url,
  kinds,
  enabled,
}: Pick<Webhook, 'name' | 'url' | 'kinds' | 'enabled'>): StateWebhook {
  return {
    ...(name === null ? {} : { name }),
    url,
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(enabled ? {} : { enabled }),
  };
}

export function policyState(policy: CertificatePolicy): PolicyChanges {
  const open: Readonly<Record<string, unknown>> = policyObject(OPEN_POLICY);
  const set = Object.entries(policyObject(policy)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(open[name]),
  );
  return Object.fromEntries(set);
}

function withoutNulls(section: object): object {
  return Object.fromEntries(Object.entries(section).filter(([, value]) => value !== null));
}

function byText(one: StateWebhook, other: StateWebhook): number {
  const [a, b] = [orderOf(one), orderOf(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function orderOf({ name = '', url, kinds = [], enabled = true }: StateWebhook): string {
  return JSON.stringify([name, url, kinds, enabled]);
}
