// POST /v1/tokens: makes a service token, which is shown this once. What it opens is what rules of its shares
// say; a token of no rule opens nothing.

import { actorText } from '../../domain/actor.ts';
import { isApiKeyName } from '../../domain/api-key.ts';
import { formatDuration } from '../../domain/duration.ts';
import { newId, type ShareId } from '../../domain/id.ts';
import { secretHash } from '../../domain/secret.ts';
import { secretStart } from '../../domain/secret-start.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { newServiceToken } from '../../domain/service-token.ts';
import type { NewServiceToken } from '../../store/tokens/service-token.ts';
import type { NewServiceTokenInput } from '../../wire/service-token.ts';
import { etagHeader, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { type InputFault, inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import type { OperationDeps } from '../operation-deps.ts';
import { parseLifetime } from '../people/invitation.ts';
import { findShare } from '../shares/find.ts';
import {
  madeServiceTokenSchema,
  newServiceTokenSchema,
  serviceTokenObject,
  serviceTokenVersion,
} from './schema.ts';
import { shareNamesOf } from './share-names.ts';
import { serviceTokenCreated } from './note.ts';

export const createServiceToken = operation({
  needs: 'tokens.write',
  route: {
    method: 'post',
    path: '/v1/tokens',
    operationId: 'createServiceToken',
    summary: 'Create a service token',
    description:
      'Creates a token for a program, which is shown only once and stored as a hash. It gives access to the listed shares whose rules allow it, until it expires or is deleted. It never outlives the API key, the login or the member that created it.',
    request: {
      body: { required: true, content: { 'application/json': { schema: newServiceTokenSchema } } },
    },
    responses: {
      201: {
        description: 'The token, shown only once.',
        headers: {
          ...etagHeader,
          Location: { description: 'URL of the new token.', schema: { type: 'string' } },
        },
        content: { 'application/json': { schema: madeServiceTokenSchema } },
      },
      ...problems('share_unknown', 'name_taken', 'limit_reached', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const input = c.req.valid('json');
    const caller = c.get('caller');
    const { name, lifetimeMs } = checked(input);
    const shareIds = await shareIdsOf(deps, caller.accountId, input.shares);
    const { row, token } = newTokenRow(caller, deps.now(), { name, shareIds, lifetimeMs });
    const names = await shareNamesOf(deps.store.shares, [row]);
    await recordedChange(
      deps,
      caller,
      () => deps.store.serviceTokens.create(row, caller, deps.settings().limits.serviceTokens),
      () => serviceTokenCreated(row, names),
    );
    // It is shown this once: gates that hear of it a moment later are no reason to lose it.
    await confirmLive(deps).catch(() => undefined);
    const kept = { ...row, lastUsedAt: null };
    c.header('etag', etagOf(serviceTokenVersion(row)));
    c.header('location', `/v1/tokens/${row.id}`);
    return c.json(
      madeServiceTokenSchema.parse({ ...serviceTokenObject(kept, names), token: token.reveal() }),
      201,
    );
  },
});

type Draft = {
  readonly name: string;
  readonly shareIds: readonly ShareId[];
  readonly lifetimeMs: number;
};

/** A token, and what is kept of it. Throws `not_allowed`. */
export function newTokenRow(caller: Caller, createdAt: number, { lifetimeMs, ...draft }: Draft) {
  const token = newServiceToken();
  const row = {
    id: newId('tok'),
    accountId: caller.accountId,
    ...draft,
    hash: secretHash(token),
    start: secretStart(token),
    createdAt,
    expiresAt: expiryOf(caller, createdAt, lifetimeMs),
    createdBy: actorText(caller.actor),
    memberId: caller.memberId,
    login: caller.keyLogin,
  } satisfies NewServiceToken;
  return { row, token };
}

/** What a key allows would live on when the key is over. Throws `not_allowed`. */
function expiryOf({ keyExpiresAt }: Caller, createdAt: number, lifetimeMs: number): number {
  const expiresAt = createdAt + lifetimeMs;
  if (keyExpiresAt === null || expiresAt <= keyExpiresAt) return expiresAt;
  throw new ServiceError(
    'not_allowed',
    `Cannot create a token that is valid for ${formatDuration(lifetimeMs)}: the key of this call expires earlier`,
    { hint: 'Use a key that does not expire, or choose a shorter time.' },
  );
}

/** Throws `validation_failed`. */
export function checked({ name, expiresIn }: Pick<NewServiceTokenInput, 'name' | 'expiresIn'>): {
  readonly name: string;
  readonly lifetimeMs: number;
} {
  const faults: InputFault[] = [];
  if (!isApiKeyName(name))
    faults.push({ path: 'name', message: 'use 1 to 40 of a-z, 0-9 and -, without - at the start or end' });
  const lifetimeMs = parseLifetime(expiresIn);
  if (lifetimeMs > MAX_LIFETIME_MS) faults.push({ path: 'expiresIn', message: 'at most 397d' });
  if (faults.length > 0) throw inputRefused(faults);
  return { name, lifetimeMs };
}

/** Throws `share_unknown`. */
async function shareIdsOf(
  { store }: OperationDeps,
  accountId: Parameters<typeof findShare>[1],
  named: readonly string[],
): Promise<readonly ShareId[]> {
  const ids = new Set<ShareId>();
  for (const each of named) ids.add((await findShare(store.shares, accountId, each)).id);
  return [...ids];
}

/** As certificates: of what nobody renews within about a year, nobody knows any more where it is. */
export const MAX_LIFETIME_MS = 397 * 24 * 60 * 60 * 1000;
