// Bearer API keys (RFC 6750 section 2.1): who calls. A suspended account's keys open nothing.

import { hashApiKey, parseApiKey } from '../domain/api-key.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { ApiKeyRow, KnownApiKey } from '../store/people/people.ts';
import { keyCaller, keyCounts } from './console/console-caller.ts';
import type { AskedBy, Caller, ControlDeps } from './control-deps.ts';
import type { FailedKeys } from '../domain/failed-keys.ts';

/**
 * Throws `api_key_missing`, `api_key_invalid`, `rate_limited` (429, after too many failures) or
 * `not_allowed`.
 */
export async function authenticate(
  authorization: string | undefined,
  request: AskedBy,
  deps: ControlDeps & { readonly failedKeys: FailedKeys },
): Promise<Caller> {
  const text = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1];
  if (text === undefined)
    throw new ServiceError('api_key_missing', 'Cannot authorize the call: it carries no API key', {
      hint: 'Send "Authorization: Bearer dw_…". An operator creates a key with "doorward account create".',
    });
  return keyCaller(await requireKey(text, request, deps), request);
}

/** The key of that text, which is good now. Throws `api_key_invalid`, `rate_limited` or `not_allowed`. */
export async function requireKey(
  text: string,
  { address }: AskedBy,
  deps: ControlDeps & { readonly failedKeys: FailedKeys },
): Promise<KnownApiKey> {
  const key = parseApiKey(text);
  const row = key === null ? null : await deps.store.apiKeys.findByHash(hashApiKey(key));
  if (row === null) throw refusal(deps.failedKeys.count(address));
  if (row.expiresAt !== null && deps.now() >= row.expiresAt)
    throw new ServiceError('api_key_invalid', 'Cannot authorize the call: the API key has expired', {
      hint: 'Create another one with "doorward api-key create".',
    });
  if (!keyCounts(deps.settings().console.findProvider, row))
    throw new ServiceError(
      'api_key_invalid',
      'Cannot authorize the call: the login behind this API key is no longer valid',
      { hint: 'Log in again with "doorward login".' },
    );
  if (row.accountSuspended)
    throw new ServiceError('not_allowed', 'Cannot authorize the call: the account is suspended');
  touch(row, deps);
  return row;
}

function refusal(retryAfterSeconds: number | null): ServiceError {
  if (retryAfterSeconds === null)
    return new ServiceError('api_key_invalid', 'Cannot authorize the call: the API key is unknown');
  return new ServiceError(
    'rate_limited',
    'Cannot authorize the call: too many wrong API keys came from this address',
    {
      extra: { retryAfterSeconds },
    },
  );
}

/** Nobody waits for it: when it fails, the key's last use is merely out of date. */
function touch(row: ApiKeyRow, { store, now, log }: ControlDeps): void {
  if (row.lastUsedAt !== null && now() - row.lastUsedAt < TOUCH_EVERY_MS) return;
  store.apiKeys.touch(row.id, now()).catch((error: unknown) => {
    log.warn({ err: error, keyId: row.id }, 'Cannot record the use of an API key');
  });
}

/** The last use is for people who tidy up keys: a minute is exact enough, and reads stay reads. */
const TOUCH_EVERY_MS = 60_000;
