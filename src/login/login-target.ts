// What a login is for: a share, the control plane, the trial of a provider, or nothing but the login itself.

import type { InvitationId, ShareId } from '../domain/id.ts';
import { ANY_STRENGTH, type LoginStrength, strongerOf } from '../domain/login-strength.ts';
import type { Provider } from '../providers/provider.ts';

export type AttemptTarget = LoginTarget | ConsoleTarget | TrialTarget | null;

/** Where a login was meant to lead. */
export type LoginTarget = {
  readonly shareId: ShareId;
  /** As far as it fits. */
  readonly returnUrl: string;
  /** As `LoginRequest` has it. */
  readonly addressKey: string | null;
  readonly bindingHash: string | null;
  /** As `LoginRequest` has it. */
  readonly strength?: LoginStrength;
};

export type ConsoleTarget = {
  readonly kind: 'console';
  /** `shortHash` of the control plane's own cookie of this browser: nobody else can use the grant. */
  readonly bindingHash: string;
  readonly invitation: InvitationId | null;
  /** The account to log in to; null for whichever the person is a member of. */
  readonly accountName: string | null;
};

export type TrialTarget = {
  readonly kind: 'trial';
  /** `shortHash` of the starter's console session: only who started it, and is still logged in, is told. */
  readonly bindingHash: string;
};

export function isConsoleTarget(target: AttemptTarget): target is ConsoleTarget {
  return target !== null && 'kind' in target && target.kind === 'console';
}

export function isTrialTarget(target: AttemptTarget): target is TrialTarget {
  return target !== null && 'kind' in target && target.kind === 'trial';
}

/** How strong the login must be, by its target and by the settings of the provider. */
export function strengthOf(provider: Pick<Provider, 'strength'>, target: AttemptTarget): LoginStrength {
  const wanted = target !== null && 'strength' in target ? target.strength : undefined;
  return strongerOf(wanted ?? ANY_STRENGTH, provider.strength ?? ANY_STRENGTH);
}
