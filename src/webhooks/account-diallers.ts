// One dialler for each account's webhooks, within the rules for addresses that accounts give (DESIGN "Calls
// out"): nobody's stalling receiver holds up another's, or a login.

import { createAddressList } from '../domain/address-list.ts';
import type { AccountId } from '../domain/id.ts';
import type { DialTarget } from '../providers/dial-target.ts';
import { createDialler, type Dialler } from '../providers/dialler.ts';
import { laneOf } from '../providers/name-places.ts';

export type WebhookRules = {
  /** `outbound_allow`. */
  readonly outboundAllow: readonly string[];
  readonly ownListeners: readonly DialTarget[];
};

/** `rules` is asked each time; when they changed, everybody gets a new dialler. */
export function createAccountDiallers(rules: () => WebhookRules): (accountId: AccountId) => Dialler {
  let known = new Map<AccountId, Dialler>();
  let knownRules = '';
  return (accountId) => {
    const { outboundAllow, ownListeners } = rules();
    const text = JSON.stringify([outboundAllow, ownListeners]);
    if (text !== knownRules) known = new Map();
    knownRules = text;
    const dialler =
      known.get(accountId) ??
      createDialler({
        lane: laneOf(accountId, 'webhooks'),
        allow: createAddressList(outboundAllow),
        ownListeners,
        refused: 'target_refused',
        unreachable: 'target_refused',
      });
    known.set(accountId, dialler);
    return dialler;
  };
}
