// What is to be done to bring an account to a state: the sections one after the other, as they need each
// other, and the steps in the order in which they can be made.

import { shortHash } from '../../domain/secret.ts';
import type { Caller } from '../control-deps.ts';
import type { OperationDeps } from '../operation-deps.ts';
import { type AccountState, type StateThing, THING_KINDS } from '../../wire/state.ts';
import { planHosts } from './plan-hosts.ts';
import { planPolicy } from './plan-policy.ts';
import { planProviders } from './plan-providers.ts';
import { planShares } from './plan-shares.ts';
import { planTokens } from './plan-tokens.ts';
import { planWebhooks } from './plan-webhooks.ts';
import { nothingFound, ORDER, type Plan, type Planning, requireSound, type Step } from './planning.ts';
import { type Snapshot, snapshotTag } from './snapshot.ts';

export type Wanted = {
  readonly state: AccountState;
  readonly prune: boolean;
};

/** Writes nothing. Throws `validation_failed` with every fault of the state. */
export async function planState(
  deps: OperationDeps,
  caller: Caller,
  { snapshot, ...wanted }: Wanted & { readonly snapshot: Snapshot },
): Promise<Plan> {
  const planning: Planning = { deps, caller, snapshot, ...wanted, found: nothingFound() };
  const providers = await planProviders(planning);
  const shares = await planShares(planning, providers);
  await planHosts(planning, shares);
  await planTokens(planning, shares);
  await planWebhooks(planning);
  await planPolicy(planning);
  requireSound(planning.found);
  const { steps, unchanged, kept, ...rest } = planning.found;
  return {
    ...rest,
    steps: steps.toSorted(byOrder),
    unchanged: unchanged.toSorted(byName),
    kept: kept.toSorted(byName),
  };
}

/** The same at each planning, though names resolve in any order. */
function byOrder(one: Step, other: Step): number {
  const ranks = ORDER.indexOf(one.at) - ORDER.indexOf(other.at);
  return ranks !== 0 ? ranks : compared(one.change?.name ?? '', other.change?.name ?? '');
}

function byName(one: StateThing, other: StateThing): number {
  const ranks = THING_KINDS.indexOf(one.kind) - THING_KINDS.indexOf(other.kind);
  return ranks !== 0 ? ranks : compared(one.name, other.name);
}

function compared(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Another when the account changes, or what is to become of it. */
export function planName(snapshot: Snapshot, { steps }: Plan): string {
  return shortHash(JSON.stringify([snapshotTag(snapshot), steps.map(({ at, change }) => [at, change])]));
}
