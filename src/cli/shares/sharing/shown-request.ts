// A request that the agent served, as it is shown.

import { namedProviders } from '../../../domain/named-providers.ts';
import type { ShareObject } from '../../../wire/share.ts';
import type { ServedRequest } from '../../../tunnel/agent-session.ts';
import type { ShownRequest } from './view.ts';
import { visitorEmail } from './visitor-email.ts';

/** `at`: epoch milliseconds of its end. A gateway of before tells of no rules. */
export function shownRequest(
  { head, outcome, durationMs }: ServedRequest,
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
    // Where nobody logs in, such headers are a visitor's own.
    email: namedProviders({ oauthProvider, rules }).length === 0 ? null : visitorEmail(head.headers),
    fault,
  };
}

/** What the gateway answers for a backend that is down. */
const BAD_GATEWAY = 502;
