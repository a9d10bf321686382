// GET /v1/audit-events: what happened in the account, in the order in which it was written down, either way
// round.

import { z } from '@hono/zod-openapi';
import type { AuditEventObject, AuditPageObject } from '../../wire/audit-event.ts';
import { toldEvent } from '../../domain/audit-event.ts';
import { AUDIT_KINDS, AUDIT_RESULTS } from '../../domain/audit-kind.ts';
import { problems } from '../answers.ts';
import { shownKindSchema } from '../audit-kind-schema.ts';
import { cursorOf, readCursor, unknownCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { hiddenFrom } from './seen-changes.ts';
import { auditChangeSchema } from './audit-change-schema.ts';
import { pageQuerySchema } from '../shares/schema.ts';
import { shareIdNamed } from '../shares/find.ts';

const text = z.string().max(300);

const auditQuerySchema = pageQuerySchema.extend({
  kind: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(z.enum(AUDIT_KINDS)).max(AUDIT_KINDS.length),
    )
    .optional()
    .openapi({
      type: 'array',
      maxItems: AUDIT_KINDS.length,
      items: { type: 'string', enum: [...AUDIT_KINDS] },
      description: 'Only events of this kind. Can be repeated.',
    }),
  email: text
    .optional()
    .openapi({ description: 'Only events of this email address, in upper or lower case.' }),
  share: text
    .optional()
    .openapi({ description: 'Only events of this share: its name, or its id if it was deleted.' }),
  provider: text.optional().openapi({ description: 'Only events of this provider.' }),
  actor: text.optional().openapi({
    description: 'Only events of this actor, as written in `actor`.',
    example: 'member:mem_…',
  }),
  result: z.enum(AUDIT_RESULTS).optional().openapi({ description: 'Only events with this result.' }),
  text: z.string().max(200).optional().openapi({
    description:
      'Only events that contain each of these words or parts of words, in upper or lower case: in the person, IP address, share, provider, actor, request id, reason, rule or changes.',
    example: 'ann@ 192.0.2',
  }),
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .openapi({ description: 'Only events at or after this time.' }),
  until: z.iso
    .datetime({ offset: true })
    .optional()
    .openapi({ description: 'Only events before this time.' }),
  order: z
    .enum(['newest', 'oldest'])
    .default('newest')
    .openapi({ description: 'The order of events, by when they were recorded.' }),
});

const auditEventSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    kind: shownKindSchema,
    result: z.enum(AUDIT_RESULTS).openapi({
      description: '`refused`: somebody was refused. `failed`: it could not be done. Else `done`.',
    }),
    shareId: z.string().nullable(),
    sessionId: z.string().nullable(),
    provider: z.string().nullable(),
    email: z.string().nullable(),
    actor: z.string().nullable().openapi({
      description:
        'Who did it, if not the visitor: `member:mem_…`, `api-key:key_…`, `certificate:cer_…`. A certificate that is not in the database is `certificate:serial:` and its serial number in upper-case hex. For a refused certificate, its holder.',
    }),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    reason: z.string().nullable(),
    rule: z.string().nullable().openapi({
      description:
        'Of a refusal, the rule that refused. Null if no rule allows the person, or if no rule is involved.',
      example: '2: deny emails *@example.org',
    }),
    changes: auditChangeSchema.optional(),
  })
  .openapi('AuditEvent') satisfies z.ZodType<AuditEventObject>;

const auditEventPageSchema = z
  .object({
    items: z.array(auditEventSchema),
    nextCursor: z.string().nullable().openapi({ description: 'Null if there are no more events now.' }),
    followCursor: z.string().openapi({
      description: 'With `order=oldest`, the cursor for events that are recorded after this page.',
    }),
  })
  .openapi('AuditEventPage') satisfies z.ZodType<AuditPageObject>;

export const listAuditEvents = operation({
  needs: 'audit.read',
  route: {
    method: 'get',
    path: '/v1/audit-events',
    operationId: 'listAuditEvents',
    summary: 'List audit events',
    description:
      'Lists the events of the account, one page at a time, in the order in which they were recorded. Filters: text, kind, result, person, share, provider, actor, time. A caller who cannot read a thing gets no `changes` of it.',
    request: { query: auditQuerySchema },
    responses: {
      200: {
        description:
          'A page of events. A filtered page can have few or no events and still a `nextCursor`: continue with it.',
        content: { 'application/json': { schema: auditEventPageSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const query = c.req.valid('query');
    const { accountId } = c.get('caller');
    const page = await deps.store.audit.page({
      accountId,
      filter: {
        kinds: query.kind ?? [],
        email: query.email ?? null,
        shareId:
          query.share === undefined ? null : await shareIdNamed(deps.store.shares, accountId, query.share),
        provider: query.provider ?? null,
        actor: query.actor ?? null,
        result: query.result ?? null,
        text: query.text ?? null,
        since: timeOf(query.since),
        until: timeOf(query.until),
      },
      order: query.order,
      from: placeOf(query.cursor),
      limit: query.limit,
      hidesChangesOf: hiddenFrom(c.get('caller')),
    });
    const answer = {
      items: page.events.map(toldEvent),
      nextCursor: page.next === null ? null : cursorOf(String(page.next)),
      followCursor: cursorOf(String(page.follow)),
    };
    return c.json(auditEventPageSchema.parse(answer), 200);
  },
});

function timeOf(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time);
}

function placeOf(cursor: string | undefined): number | null {
  const place = readCursor(cursor);
  if (place === null) return null;
  // Numbers of events are microseconds on PostgreSQL.
  const number = /^\d{1,16}$/.test(place) ? Number(place) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw unknownCursor();
  return number;
}
