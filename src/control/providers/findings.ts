// How the providers that an account may use stand: what their last test and trial found, and when somebody
// last logged in there. A finding is out of date once the settings are others than those that were tried.

import { actorText } from '../../domain/actor.ts';
import type { AccountId } from '../../domain/id.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import type { FindingKind, ProviderFinding } from '../../domain/provider-finding.ts';
import { shortHash } from '../../domain/secret.ts';
import type { KeptFinding } from '../../store/providers/findings.ts';
import type { Store } from '../../store/store.ts';
import type { ProviderFindingObject, ProviderObject, ProviderStanding } from '../../wire/provider.ts';
import type { Caller, ControlDeps, ControlSettings } from '../control-deps.ts';
import { timeText } from '../time-text.ts';
import { sharesUsing } from './find.ts';
import { providerObject } from './view.ts';

/** Which settings a provider has, by its definition, or by what accounts know of one of the configuration. */
export function settingsMark(
  definition: ProviderDefinition | null,
  { name, accountId }: { readonly name: string; readonly accountId: AccountId },
  { isConfiguredProvider, providersOf }: ControlSettings,
): string {
  if (definition !== null && !isConfiguredProvider(name)) return `${definition.id} ${definition.version}`;
  const configured = providersOf(accountId).find((each) => each.name === name);
  return configured === undefined ? '' : `configured ${shortHash(JSON.stringify(configured))}`;
}

type Made = { readonly provider: string; readonly kind: FindingKind; readonly settings: string };

/** That it cannot be kept takes nothing from whoever reads it now. */
export async function keepFinding(
  { store, now, log }: Pick<ControlDeps, 'store' | 'now' | 'log'>,
  { accountId, actor }: Pick<Caller, 'accountId' | 'actor'>,
  { provider, kind, settings, ...found }: Made & ProviderFinding,
): Promise<void> {
  const kept = { ...found, accountId, provider, kind, settings, at: now(), actor: actorText(actor) };
  try {
    await store.providerFindings.keep(kept);
  } catch (error) {
    log.warn({ provider, err: error }, 'cannot keep what a test of a provider found');
  }
}

type StandingOf = (name: string, definition: ProviderDefinition | null) => ProviderStanding;

/** `only`: of the provider of that name; of all unless it is given. */
export async function standings(
  store: Store,
  { accountId, only }: { readonly accountId: AccountId; readonly only?: string },
  settings: ControlSettings,
): Promise<StandingOf> {
  const [findings, logins] = await Promise.all([
    store.providerFindings.list(accountId, only),
    store.audit.latestLogins(accountId),
  ]);
  return (name, definition) => {
    const mark = settingsMark(definition, { name, accountId }, settings);
    const last = (kind: FindingKind) => {
      const found = findings.find((each) => each.provider === name && each.kind === kind);
      return found === undefined ? null : findingObject(found, mark);
    };
    const times = logins.flatMap(({ provider, at }) => (provider === name ? [at] : []));
    return {
      lastLoginAt: times.length === 0 ? null : timeText(Math.max(...times)),
      lastTest: last('test'),
      lastTrial: last('trial'),
    };
  };
}

export async function shownProvider(
  { store, settings }: Pick<ControlDeps, 'store' | 'settings'>,
  definition: ProviderDefinition,
): Promise<ProviderObject> {
  const { accountId, name } = definition;
  const standingOf = await standings(store, { accountId, only: name }, settings());
  return providerObject(definition, {
    endpointUrl: settings().endpointUrl,
    shares: await sharesUsing(store.shares, definition),
    standing: standingOf(name, definition),
  });
}

/** Of one that is new. */
export const NO_STANDING: ProviderStanding = { lastLoginAt: null, lastTest: null, lastTrial: null };

function findingObject(found: KeptFinding, mark: string): ProviderFindingObject {
  const { at, actor, passed, email, reason, checks, settings } = found;
  return { at: timeText(at), actor, passed, email, reason, checks, isOutdated: settings !== mark };
}
