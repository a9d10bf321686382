// A watched request as the API tells it.

import { z } from '@hono/zod-openapi';
import type { ShareRequestObject } from '../../../wire/share-request.ts';
import type { ShareRequest } from '../../../domain/share-request.ts';
import { timeText } from '../../time-text.ts';

export function requestObject({ at, durationMs, ...request }: ShareRequest): ShareRequestObject {
  const { method, path, status, authorized, who, reason, aborted, address, requestId } = request;
  return {
    at: timeText(at),
    method,
    path,
    status,
    authorized,
    ms: durationMs,
    who,
    reason,
    aborted,
    address,
    requestId,
  };
}

/** The data of the `request` events. */
export const shareRequestSchema = z
  .object({
    at: z.iso.datetime(),
    method: z.string().openapi({ example: 'GET' }),
    path: z
      .string()
      .openapi({ description: 'The path without the query, which can carry secrets.', example: '/orders' }),
    status: z.number().int().nullable().openapi({
      description: 'The status. 101 for a WebSocket. Null if the visitor left before the response began.',
    }),
    authorized: z.boolean().openapi({
      description:
        'Whether the proxy in front of the app was told to forward it. The status is then not that of the app.',
    }),
    ms: z.number().int(),
    who: z
      .string()
      .nullable()
      .openapi({ description: 'The email address, or the name in the client certificate.' }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why the gateway refused or aborted the request.', example: 'login_required' }),
    aborted: z.boolean(),
    address: z.string().openapi({ example: '192.0.2.7' }),
    requestId: z.string(),
  })
  .openapi('ShareRequest') satisfies z.ZodType<ShareRequestObject>;
