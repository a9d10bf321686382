// DELETE /v1/members/{member}: their API keys, service tokens, console sessions and invitation go
// with them.

import { ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { operation } from '../operation.ts';
import { memberParamsSchema } from './member-schema.ts';
import { findMember, judgeOf, unknownMember } from './find-member.ts';
import { memberDeleted } from './note.ts';
import { remembering } from '../remembering.ts';

export const deleteMember = operation({
  needs: 'members.write',
  route: {
    method: 'delete',
    path: '/v1/members/{member}',
    operationId: 'deleteMember',
    summary: 'Delete a member',
    description:
      'Deletes the member with their API keys and service tokens, and ends their console sessions. An account keeps at least one active admin.',
    parameters: [ifMatchParameter],
    request: { params: memberParamsSchema },
    responses: {
      204: { description: 'The member is deleted, with their API keys, service tokens and logins.' },
      ...problems('member_unknown', 'last_admin', 'precondition_failed'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').member;
    const { members } = deps.store;
    const { id } = await findMember(members, caller.accountId, named);
    const { judge, judged } = remembering(judgeOf(c.req.header('if-match')));
    const removed = await recordedChange(
      deps,
      caller,
      () => members.remove(caller.accountId, id, judge),
      (isRemoved) => isRemoved && memberDeleted(judged()),
    );
    if (!removed) throw unknownMember(named);
    await confirmLive(deps);
    return c.body(null, 204);
  },
});
