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
    summary: 'Watch requests live',
    description:
      'Streams the finished requests of a share as server-sent events: `open` when the stream starts, `request` with a `ShareRequest`, `skipped` with `{skipped}`, the number of requests that were too many to send, and `end` with `{code, detail, hint}` when your access ends or the service restarts. Nothing is stored. Earlier requests are in the access log.',
    request: { params: shareParamsSchema },
    responses: {
      200: {
        description: 'The requests at all gateways. The schema is the data of a `request` event.',
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
    throw new ServiceError('login_required', 'Cannot continue the live view: the caller changed');
}

/** A proxy before us hands on what comes, as it comes. */
const HEADERS = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
