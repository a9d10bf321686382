// PATCH /v1/members/{member}: makes a member an admin, or an admin a member; their keys follow at once.

import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import {
  memberChangesSchema,
  memberObject,
  memberParamsSchema,
  memberSchema,
  memberVersion,
} from './member-schema.ts';
import { findMember, judgeOf, unknownMember } from './find-member.ts';
import { memberModified } from './note.ts';
import { remembering } from '../remembering.ts';

export const modifyMember = operation({
  needs: 'members.write',
  route: {
    method: 'patch',
    path: '/v1/members/{member}',
    operationId: 'modifyMember',
    summary: 'Change a member’s role',
    description: 'Changes the role of a member. An account keeps at least one active admin.',
    parameters: [ifMatchParameter],
    request: {
      params: memberParamsSchema,
      body: { required: true, content: { 'application/json': { schema: memberChangesSchema } } },
    },
    responses: {
      200: {
        description: 'The changed member.',
        headers: etagHeader,
        content: { 'application/json': { schema: memberSchema } },
      },
      ...problems(
        'member_unknown',
        'last_admin',
        'precondition_failed',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').member;
    const { members } = deps.store;
    const { id } = await findMember(members, caller.accountId, named);
    const { judge, judged } = remembering(judgeOf(c.req.header('if-match')));
    const row = await recordedChange(
      deps,
      caller,
      () => members.changeRole(caller.accountId, id, c.req.valid('json').role, judge),
      (after) => after && memberModified(judged(), after),
    );
    if (row === null) throw unknownMember(named);
    c.header('etag', etagOf(memberVersion(row)));
    return c.json(memberSchema.parse(memberObject(row)), 200);
  },
});
