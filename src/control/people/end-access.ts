// POST /v1/people/end-access: everything that a person can use now ends, in one transaction, and so does what
// they are about to begin. Whom the rules of a share still let in can log in again.

import { actorText } from '../../domain/actor.ts';
import { ENDED_BY_ADMIN } from '../../domain/end-reason.ts';
import type { AccessEnd, EndedAccess } from '../../store/people/person.ts';
import type { EndedAccessObject, NamedThing } from '../../wire/person.ts';
import { problems } from '../answers.ts';
import { requestTokenDeleted } from '../certificates/note.ts';
import { revocationNote } from '../certificates/revoking.ts';
import { type ChangeNote, recordedChange, sessionEndedNote } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { operation } from '../operation.ts';
import { apiKeyDeleted, memberDeleted } from './note.ts';
import { endAccessSchema, endedAccessSchema, requireAddress } from './person-schema.ts';

export const endPersonAccess = operation({
  needs: 'people.end',
  route: {
    method: 'post',
    path: '/v1/people/end-access',
    operationId: 'endPersonAccess',
    summary: 'End all access of a person',
    description:
      'Ends all sessions of the person at shares and at the console, revokes their client certificates and those with an API role that they created, and deletes unused tokens for such certificates and their API keys, in one transaction. Logins in progress end, too. The rules of shares stay: the person can log in again where a rule lets them in.',
    request: { body: { required: true, content: { 'application/json': { schema: endAccessSchema } } } },
    responses: {
      200: {
        description: 'What ended.',
        content: { 'application/json': { schema: endedAccessSchema } },
      },
      ...problems('last_admin', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const { membership, reason = 'unspecified', ...input } = c.req.valid('json');
    const email = requireAddress(input.email);
    const caller = c.get('caller');
    const { accountId } = caller;
    const removesMember = membership === 'remove';
    const end = { accountId, email, at: deps.now(), by: actorText(caller.actor), reason, removesMember };
    const ended = await recordedChange(
      deps,
      caller,
      () => deps.store.persons.endAccess(end),
      (made) => notesOf(made, { email, reason, removesMember }),
    );
    deps.tokensOwed();
    await confirmLive(deps);
    return c.json(endedAccessSchema.parse(endedObject(ended, removesMember)), 200);
  },
});

type Meant = Pick<AccessEnd, 'email' | 'reason' | 'removesMember'>;

/** Each thing by itself, as if it had ended alone, and that they ended together. */
function notesOf(ended: EndedAccess, { email, reason, removesMember }: Meant): readonly ChangeNote[] {
  const { sessions, certificates, requestTokens, apiKeys, members } = ended;
  return [
    ...sessions.map((session) => sessionEndedNote(session, ENDED_BY_ADMIN)),
    ...certificates.map((certificate) => revocationNote(certificate, reason)),
    ...requestTokens.map(requestTokenDeleted),
    ...apiKeys.map((key): ChangeNote => Object.assign(apiKeyDeleted(key), { email })),
    ...(removesMember ? members.map(memberDeleted) : []),
    { kind: 'access.ended', email, reason: summaryOf(ended) },
  ];
}

function summaryOf(ended: EndedAccess): string {
  const counts: readonly (readonly [count: number, one: string])[] = [
    [ended.sessions.length, 'session'],
    [ended.consoleSessions, 'console session'],
    [ended.certificates.length, 'certificate'],
    [ended.requestTokens.length, 'request token'],
    [ended.apiKeys.length, 'API key'],
  ];
  const found = counts.filter(([count]) => count > 0);
  if (found.length === 0) return 'nothing was active';
  return found.map(([count, one]) => `${count} ${one}${count === 1 ? '' : 's'}`).join(', ');
}

function endedObject(ended: EndedAccess, removesMember: boolean): EndedAccessObject {
  const { sessions, consoleSessions, certificates, requestTokens, apiKeys, members } = ended;
  return {
    sessions: sessions.length,
    consoleSessions,
    certificates: certificates.map(named),
    requestTokens: requestTokens.map(named),
    apiKeys: apiKeys.map(named),
    serviceTokens: { count: ended.serviceTokens, deleted: removesMember && ended.serviceTokens > 0 },
    membership: members.length === 0 ? 'none' : removesMember ? 'removed' : 'kept',
  };
}

function named({ id, name }: NamedThing): NamedThing {
  return { id, name };
}
