// POST /v1/members/{member}/invitation: a new invitation for a member, in the place of any before. Whoever
// accepts it is bound to that login from then on: for an invitation that was lost, and for a login that was.

import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { newInvitation } from './invitation.ts';
import {
  invitationInputSchema,
  invitedMemberSchema,
  memberObject,
  memberParamsSchema,
  memberVersion,
} from './member-schema.ts';
import { findMember, judgeOf, unknownMember } from './find-member.ts';
import { memberInvited } from './note.ts';
import { remembering } from '../remembering.ts';

export const inviteMember = operation({
  needs: 'members.write',
  route: {
    method: 'post',
    path: '/v1/members/{member}/invitation',
    operationId: 'inviteMember',
    summary: 'Invite a member again',
    description:
      'Creates another invitation for a member who has not accepted one yet. The previous one stops working.',
    parameters: [ifMatchParameter],
    request: {
      params: memberParamsSchema,
      body: { required: true, content: { 'application/json': { schema: invitationInputSchema } } },
    },
    responses: {
      201: {
        description: 'The member, and the invitation, which is shown only once.',
        headers: etagHeader,
        content: { 'application/json': { schema: invitedMemberSchema } },
      },
      ...problems('member_unknown', 'precondition_failed', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').member;
    const { members } = deps.store;
    const { id } = await findMember(members, caller.accountId, named);
    const { kept, shown } = newInvitation(deps, c.req.valid('json').expiresIn);
    const { judge, judged } = remembering(judgeOf(c.req.header('if-match')));
    const row = await recordedChange(
      deps,
      caller,
      () => members.inviteAgain(caller.accountId, id, kept, judge),
      (after) => after && memberInvited(judged(), after),
    );
    if (row === null) throw unknownMember(named);
    c.header('etag', etagOf(memberVersion(row)));
    return c.json(invitedMemberSchema.parse({ member: memberObject(row), invitation: shown }), 201);
  },
});
