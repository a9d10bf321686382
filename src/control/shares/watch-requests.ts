// GET /v1/shares/{share}/requests: each request at the share as it ends, for as long as the caller listens
// and may.

import { problems } from '../answers.ts';
import { callerWith } from '../authorize.ts';
import type { Caller } from '../control-deps.ts';
import { operation } from '../operation.ts';
import { shareRequestSchema } from './live-requests/request-object.ts';
import { createWatchLimit } from './live-requests/watch-limit.ts';
import { watchStream } from './live-requests/watch-stream.ts';
import { shareParamsSchema } from './schema.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { findShare } from './find.ts';

export const watchShareRequests = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/shares/{share}/requests',
    operationId: 'watchShareRequests',
    summary: 'Watch the requests at a share as they end',
    description:
      'Server-sent events until you leave: `open` once requests are told, `request` with a `ShareRequest`, `skipped` with `{skipped}`, the number of those that were too many to tell, and at last `end` with `{code, detail, hint}` when you may watch no longer, or the service restarts. Nothing is kept: what happened before is in the log.',
    request: { params: shareParamsSchema },
    responses: {
      200: {
        description: 'The requests at all gateways. The schema is that of the data of a `request`.',
        content: { 'text/event-stream': { schema: shareRequestSchema } },
      },
      ...problems('share_unknown', 'draining'),
    },
  },
  make: (deps) => {
    const limit = createWatchLimit();
    return async (c) => {
      const caller = c.get('caller');
      const { id } = await findShare(deps.store.shares, caller.accountId, c.req.valid('param').share);
      if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS });
      const place = limit.take(caller);
      const mayWatch = async () => {
        place.requireHeld();
        requireSame(caller, callerWith('shares.read', await deps.callerNow(c)));
        await findShare(deps.store.shares, caller.accountId, id);
      };
      try {
        return new Response(
          watchStream({ live: deps.liveRequests, shareId: id, mayWatch, over: place.leave }),
          {
            headers: HEADERS,
          },
        );
      } catch (error) {
        place.leave();
        throw error;
      }
    };
  },
});

/** The same credentials may be somebody else's by now, or may do less. */
function requireSame(before: Caller, now: Caller): void {
  if (now.actor.id !== before.actor.id || now.accountId !== before.accountId)
    throw new ServiceError('login_required', 'Cannot go on: somebody else calls now');
}

/** A proxy before us hands on what comes, as it comes. */
const HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
