// GET /v1/members/{member}.

import { etagHeader, problems } from '../answers.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { memberObject, memberParamsSchema, memberSchema, memberVersion } from './member-schema.ts';
import { findMember } from './find-member.ts';

export const showMember = operation({
  needs: 'members.read',
  route: {
    method: 'get',
    path: '/v1/members/{member}',
    operationId: 'showMember',
    summary: 'Show a member',
    description: 'Shows one member, by id or email address.',
    request: { params: memberParamsSchema },
    responses: {
      200: {
        description: 'The member.',
        headers: etagHeader,
        content: { 'application/json': { schema: memberSchema } },
      },
      ...problems('member_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const row = await findMember(store.members, c.get('caller').accountId, c.req.valid('param').member);
      c.header('etag', etagOf(memberVersion(row)));
      return c.json(memberSchema.parse(memberObject(row)), 200);
    },
});
