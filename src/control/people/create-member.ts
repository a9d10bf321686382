// POST /v1/members: invites somebody into the account. They are a member from their first login on.

import { actorText } from '../../domain/actor.ts';
import { parseEmailAddress } from '../../domain/email-address.ts';
import { newId } from '../../domain/id.ts';
import { problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { newInvitation } from './invitation.ts';
import { invitedMemberSchema, memberObject, newMemberSchema } from './member-schema.ts';
import { memberInvited } from './note.ts';

export const createMember = operation({
  needs: 'members.write',
  route: {
    method: 'post',
    path: '/v1/members',
    operationId: 'createMember',
    summary: 'Invite a member',
    description:
      'Creates the member and an invitation, whose link is shown only once. The first login with it binds the member to that provider account.',
    request: { body: { required: true, content: { 'application/json': { schema: newMemberSchema } } } },
    responses: {
      201: {
        description: 'The member, and the invitation, which is shown only once.',
        headers: { Location: { description: 'URL of the new member.', schema: { type: 'string' } } },
        content: { 'application/json': { schema: invitedMemberSchema } },
      },
      ...problems('member_exists', 'limit_reached', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const { email: text, role = 'member', expiresIn } = c.req.valid('json');
    const caller = c.get('caller');
    const email = parseEmailAddress(text);
    if (email === null) throw inputRefused([{ path: 'email', message: 'the email address is not valid' }]);
    const { kept, shown } = newInvitation(deps, expiresIn);
    const member = { id: newId('mem'), accountId: caller.accountId, email, role, createdAt: kept.createdAt };
    await recordedChange(
      deps,
      caller,
      () =>
        deps.store.members.invite(
          { ...member, by: actorText(caller.actor) },
          kept,
          deps.settings().limits.members,
        ),
      () => memberInvited(null, { email, role, invitedUntil: kept.expiresAt }),
    );
    const row = {
      ...member,
      login: null,
      acceptedAt: null,
      lastLoginAt: null,
      invitedUntil: kept.expiresAt,
    };
    c.header('location', `/v1/members/${member.id}`);
    return c.json(invitedMemberSchema.parse({ member: memberObject(row), invitation: shown }), 201);
  },
});
