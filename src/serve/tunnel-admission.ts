// Whether an agent may serve a share (DESIGN 3, "Tunnel"): its API key may serve tunnels, and the share is its account's, and one
// that agents serve. Another account's share reads as unknown.

import { isScopeAtLeast } from '../domain/role.ts';
import { type FaultCode, ServiceError } from '../domain/service-error.ts';
import type { ShareId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import type { FailedKeys } from '../control/failed-keys.ts';
import type { TunnelQuestion, WorkerAnswer } from '../gateway/messages.ts';
import type { KnownApiKey } from '../store/people.ts';
import type { ShareRow, Store } from '../store/store.ts';

export type AdmissionDeps = {
  readonly store: Pick<Store, 'apiKeys' | 'shares'>;
  readonly failedKeys: FailedKeys;
  readonly now: () => number;
  readonly log: Log;
};

/** Rejects when the store does not answer. */
export async function admitAgent(deps: AdmissionDeps, question: TunnelQuestion): Promise<WorkerAnswer> {
  try {
    const key = await usableKey(deps, question);
    const share = await shareOf(deps, key, question.share);
    if (share.tunnel === null)
      throw new ServiceError(
        'validation_failed',
        `Cannot serve ${share.name} from here: the gateway reaches its target`,
      );
    if (!share.enabled)
      throw new ServiceError('share_disabled', `Cannot serve ${share.name}: it is disabled`, {
        hint: `Let it answer again with "doorward share modify ${share.name} --enabled".`,
      });
    noteSeen(deps, share.id);
    return { kind: 'tunnel', shareId: share.id, key: { id: key.id, expiresAt: key.expiresAt } };
  } catch (error) {
    if (!(error instanceof ServiceError) || TRANSIENT.has(error.code)) throw error;
    return { kind: 'refused', code: error.code, message: error.message, hint: error.hint };
  }
}

async function usableKey(deps: AdmissionDeps, { keyHash, address }: TunnelQuestion): Promise<KnownApiKey> {
  const key = await deps.store.apiKeys.findByHash(keyHash);
  if (key === null) {
    const wait = address === null ? null : deps.failedKeys.count(address);
    if (wait !== null)
      throw new ServiceError('rate_limited', 'Cannot open a tunnel: too many API keys failed from there');
    throw new ServiceError('api_key_invalid', 'Cannot open a tunnel: the API key is not known');
  }
  if (key.expiresAt !== null && deps.now() >= key.expiresAt)
    throw new ServiceError('api_key_invalid', 'Cannot open a tunnel: the API key has expired');
  if (key.accountSuspended)
    throw new ServiceError('not_allowed', 'Cannot open a tunnel: the account is suspended');
  if (!isScopeAtLeast(key.scope, 'tunnel'))
    throw new ServiceError('not_allowed', 'Cannot open a tunnel with this API key: it may only read', {
      hint: 'Use a key of scope "tunnel" or "full".',
    });
  return key;
}

async function shareOf({ store }: AdmissionDeps, key: KnownApiKey, named: string): Promise<ShareRow> {
  // No name holds an underscore, so the two cannot be mixed up.
  const share = named.startsWith('shr_')
    ? await store.shares.findById(named as ShareId)
    : await store.shares.find(key.accountId, named);
  if (share === null || share.accountId !== key.accountId)
    throw new ServiceError('share_unknown', `Cannot serve ${named}: there is no such share`);
  return share;
}

/** Nobody waits for it: an ephemeral share outlives its agent a little, whatever becomes of this. */
function noteSeen({ store, now, log }: AdmissionDeps, id: ShareId): void {
  store.shares.agentSeen(id, now()).catch((error: unknown) => {
    log.warn({ err: error, shareId: id }, 'Cannot note that a share is served');
  });
}

const TRANSIENT: ReadonlySet<FaultCode> = new Set(['store_unavailable', 'internal']);
