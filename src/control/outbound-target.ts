// Whether an account may have an address called (the operator's `outbound_allow`): judged when it is given;
// the dialler judges again at each call.

import { createAddressList } from '../domain/address-list.ts';
import type { AccountId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import { portOf } from '../domain/url-place.ts';
import { checkTarget } from '../providers/dial-target.ts';
import { laneOf, nameLookup } from '../providers/name-places.ts';
import type { ControlSettings } from './control-deps.ts';

export type OutboundSettings = Pick<ControlSettings, 'outboundAllow' | 'ownListeners'> & {
  /** Whose calls they are. */
  readonly accountId: AccountId;
};

/** Why it may not; null when it may, and for a name that does not resolve now, which may do so later. */
export async function outboundRefusal(
  url: URL,
  { outboundAllow, ownListeners, accountId }: OutboundSettings,
): Promise<ServiceError | null> {
  const allow = createAddressList(outboundAllow);
  const lookup = nameLookup(laneOf(accountId, 'calls'));
  const rules = { allow, ownListeners, refused: 'target_refused', unresolved: 'not_found', lookup } as const;
  try {
    await checkTarget({ host: url.hostname, port: portOf(url) }, rules);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code === 'target_refused' ? error : null;
  }
}
