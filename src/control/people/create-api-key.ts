// POST /v1/api-keys: makes a key, which is shown this once. It takes what every key can have
// (`api_keys.write`), so no key has more than the one that made it; nor does it outlive that one.

import { actorText } from '../../domain/actor.ts';
import { hashApiKey, isApiKeyName, newApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';
import type { KeyScope, Role } from '../../domain/role.ts';
import { secretStart } from '../../domain/secret-start.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { LimitedApiKey } from '../../store/people/people.ts';
import { etagHeader, problems } from '../answers.ts';
import { apiKeyObject, apiKeyVersion, madeApiKeySchema, newApiKeySchema } from './api-key-schema.ts';
import { recordedChange } from '../change-note.ts';
import type { Caller } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { parseLifetime } from './invitation.ts';
import { apiKeyCreated } from './note.ts';

export const createApiKey = operation({
  needs: 'api_keys.write',
  route: {
    method: 'post',
    path: '/v1/api-keys',
    operationId: 'createApiKey',
    summary: 'Create an API key',
    description:
      'Creates a key, which is shown only once and stored as a hash. It can do what its role allows, until it expires or is deleted.',
    request: { body: { required: true, content: { 'application/json': { schema: newApiKeySchema } } } },
    responses: {
      201: {
        description: 'The key, shown only once.',
        headers: {
          ...etagHeader,
          Location: { description: 'URL of the new key.', schema: { type: 'string' } },
        },
        content: { 'application/json': { schema: madeApiKeySchema } },
      },
      ...problems('name_taken', 'limit_reached', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const { name, role = 'member', expiresIn, ...input } = c.req.valid('json');
    const scope = scopeOf(role, input.scope);
    const caller = c.get('caller');
    if (!isApiKeyName(name))
      throw inputRefused([
        { path: 'name', message: 'use 1 to 40 of a-z, 0-9 and -, without - at the start or end' },
      ]);
    const key = newApiKey();
    const createdAt = deps.now();
    const row = {
      id: newId('key'),
      accountId: caller.accountId,
      name,
      hash: hashApiKey(key),
      start: secretStart(key),
      createdAt,
      role,
      scope,
      expiresAt: expiryOf(caller, createdAt, expiresIn),
      memberId: caller.memberId,
      createdBy: actorText(caller.actor),
      login: caller.keyLogin,
    } satisfies LimitedApiKey;
    await recordedChange(
      deps,
      caller,
      () => deps.store.apiKeys.create(row, caller, deps.settings().limits.apiKeys),
      () => apiKeyCreated(row),
    );
    c.header('etag', etagOf(apiKeyVersion(row)));
    c.header('location', `/v1/api-keys/${row.id}`);
    const shown = {
      ...apiKeyObject({ ...row, login: caller.keyLogin, lastUsedAt: null }),
      key: key.reveal(),
    };
    return c.json(madeApiKeySchema.parse(shown), 201);
  },
});

/** What an auditor's key could be called otherwise, it could not do. */
function scopeOf(role: Role, scope: KeyScope | undefined): KeyScope {
  if (role !== 'auditor') return scope ?? 'full';
  if (scope === undefined || scope === 'read') return 'read';
  throw inputRefused([{ path: 'scope', message: 'a key with the role auditor has the scope read' }]);
}

/** A key that is about to expire could otherwise go on for ever through one that it made. */
function expiryOf(caller: Caller, createdAt: number, expiresIn: string | undefined): number | null {
  const { keyExpiresAt } = caller;
  if (expiresIn === undefined) return keyExpiresAt;
  const expiresAt = createdAt + parseLifetime(expiresIn);
  if (keyExpiresAt !== null && expiresAt > keyExpiresAt)
    throw new ServiceError(
      'not_allowed',
      `Cannot create a key that is valid for ${expiresIn}: the key of this call expires earlier`,
      { hint: 'Use a key that does not expire, or choose a shorter time.' },
    );
  return expiresAt;
}
