// GET /v1/audit-events: what happened in the account, newest first.

import { createRoute, type RouteHandler, z } from '@hono/zod-openapi';
import { AUDIT_KINDS } from '../../domain/audit-event.ts';
import { problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { pageQuerySchema } from '../share-schema.ts';

const auditEventSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: z.enum(AUDIT_KINDS),
    shareId: z.string().nullable(),
    sessionId: z.string().nullable(),
    provider: z.string().nullable(),
    email: z.string().nullable(),
    actor: z.string().nullable(),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .openapi('AuditEvent');

const auditEventPageSchema = z
  .object({ items: z.array(auditEventSchema), nextCursor: z.string().nullable() })
  .openapi('AuditEventPage');

export const listAuditEventsRoute = createRoute({
  method: 'get',
  path: '/v1/audit-events',
  operationId: 'listAuditEvents',
  summary: 'List audit events',
  ...needs('audit.read'),
  request: { query: pageQuerySchema },
  responses: {
    200: {
      description: 'A page of events, newest first.',
      content: { 'application/json': { schema: auditEventPageSchema } },
    },
    ...problems(),
  },
});

export function listAuditEvents(deps: ControlDeps): RouteHandler<typeof listAuditEventsRoute, ControlEnv> {
  return async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const events = await deps.store.audit.list({
      accountId: c.get('caller').accountId,
      before: readCursor(cursor),
      limit: limit + 1,
    });
    const page = pageOf(events, limit, (event) => event.id);
    const items = page.items.map((event) => ({ ...event, at: new Date(event.at).toISOString() }));
    return c.json(auditEventPageSchema.parse({ ...page, items }), 200);
  };
}
