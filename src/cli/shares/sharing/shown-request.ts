// A request that the agent served, as it is shown.

import { namedProviders } from '../../../domain/named-providers.ts';
import type { ShareObject } from '../../../wire/share.ts';
import type { ServedRequest } from '../../../tunnel/told.ts';
import type { ServeShareOptions } from './serve-share.ts';
import type { ShownRequest, View } from './view.ts';

/** `at`: epoch milliseconds of its end. A gateway of before tells of no rules. */
export function shownRequest(
  { head, outcome, durationMs, email }: ServedRequest,
  { oauthProvider, rules = [] }: Pick<ShareObject, 'oauthProvider'> & Partial<Pick<ShareObject, 'rules'>>,
  at: number,
): ShownRequest {
  const { status, fault } = outcome;
  return {
    at,
    method: head.method,
    path: head.path,
    status: status !== 0 ? status : fault === 'backend_down' ? BAD_GATEWAY : null,
    durationMs: Math.round(durationMs),
    email: namedProviders({ oauthProvider, rules }).length === 0 ? null : email,
    fault,
  };
}

/** How an agent's requests come to whoever shows them; null where nobody does. */
export function requestsTo({ request: show }: Pick<View, 'request'>): ServeShareOptions['onRequest'] {
  return show === null ? null : (request, share) => show(shownRequest(request, share, Date.now()));
}

/** What the gateway answers for a backend that is down. */
const BAD_GATEWAY = 502;
