// GET /v1/caller: who calls, and what they may; for `doorward whoami`.

import { z } from '@hono/zod-openapi';
import type { CallerObject } from '../../wire/caller.ts';
import { KEY_SCOPES, ROLES } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { operation } from '../operation.ts';
import { timeOrNull } from '../time-text.ts';

const named = z.object({ id: z.string(), name: z.string() });

const callerSchema = z
  .object({
    kind: z.enum(['api_key', 'member', 'certificate']).openapi({ description: 'The kind of credential.' }),
    account: named,
    apiKey: named.nullable(),
    member: z
      .object({ id: z.string(), email: z.string() })
      .nullable()
      .openapi({ description: 'The member who logged in or owns the key.' }),
    certificate: named.nullable(),
    role: z.enum(ROLES),
    scope: z.enum(KEY_SCOPES),
    expiresAt: z.iso.datetime().nullable().openapi({
      description: 'When the credential expires. Null for a login and for a credential that does not expire.',
    }),
  })
  .openapi('Caller') satisfies z.ZodType<CallerObject>;

export const showCaller = operation({
  needs: 'caller.read',
  route: {
    method: 'get',
    path: '/v1/caller',
    operationId: 'showCaller',
    summary: 'Show the caller',
    description:
      'Shows the identity and the permissions of the caller: an API key, a login or a client certificate.',
    responses: {
      200: {
        description: 'The credential of this call, and its permissions.',
        content: { 'application/json': { schema: callerSchema } },
      },
      ...problems('account_unknown'),
    },
  },
  make: (deps) => async (c) => c.json(callerSchema.parse(await callerObject(deps, c.get('caller'))), 200),
});

async function callerObject({ store }: ControlDeps, caller: Caller): Promise<CallerObject> {
  const { accountId, keyId, memberId, actor, role, scope, keyExpiresAt } = caller;
  const certificateId = actor.kind === 'certificate' ? actor.id : null;
  const [account, key, member, certificate] = await Promise.all([
    store.accounts.find(accountId),
    keyId === null ? null : store.apiKeys.find(accountId, keyId),
    memberId === null ? null : store.members.find(accountId, memberId),
    certificateId === null ? null : store.certificates.find(accountId, certificateId),
  ]);
  if (account === null)
    throw new ServiceError('account_unknown', 'Cannot show the caller: the account was deleted');
  return {
    kind: keyId !== null ? 'api_key' : certificateId === null ? 'member' : 'certificate',
    account: { id: account.id, name: account.name },
    apiKey: key === null ? null : { id: key.id, name: key.name },
    member: member === null ? null : { id: member.id, email: member.email },
    certificate: certificate === null ? null : { id: certificate.id, name: certificate.name },
    role,
    scope,
    expiresAt: timeOrNull(keyExpiresAt),
  };
}
