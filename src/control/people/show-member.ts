// GET /v1/members/{member}.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { memberObject, memberParamsSchema, memberSchema, memberVersion } from './member-schema.ts';
import { findMember } from './find-member.ts';

export const showMemberRoute = createRoute({
  method: 'get',
  path: '/v1/members/{member}',
  operationId: 'showMember',
  summary: 'Show a member',
  description: 'One member, by id or email address.',
  ...needs('members.read'),
  request: { params: memberParamsSchema },
  responses: {
    200: {
      description: 'The member.',
      headers: etagHeader,
      content: { 'application/json': { schema: memberSchema } },
    },
    ...problems('member_unknown'),
  },
});

export function showMember({ store }: ControlDeps): RouteHandler<typeof showMemberRoute, ControlEnv> {
  return async (c) => {
    const row = await findMember(store.members, c.get('caller').accountId, c.req.valid('param').member);
    c.header('etag', etagOf(memberVersion(row)));
    return c.json(memberSchema.parse(memberObject(row)), 200);
  };
}
