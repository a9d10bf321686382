// A request that the agent served, as it is shown.

import type { ShareObject } from '../../../wire/share.ts';
import type { ServedRequest } from '../../../tunnel/agent-session.ts';
import type { ShownRequest } from './view.ts';
import { visitorEmail } from './visitor-email.ts';

/** `at`: epoch milliseconds of its end. */
export function shownRequest(
  { head, outcome, durationMs }: ServedRequest,
  share: Pick<ShareObject, 'oauthProvider'>,
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
    email: share.oauthProvider === null ? null : visitorEmail(head.headers),
    fault,
  };
}

/** What the gateway answers for a backend that is down. */
const BAD_GATEWAY = 502;
