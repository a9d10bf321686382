// POST /auth/revoke (RFC 7009): whoever holds an API key can end it, as `doorward logout` does. What is no
// key, or none any more, is answered alike.

import type { Context } from 'hono';
import { hashApiKey, parseApiKey } from '../../domain/api-key.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { ControlEnv } from '../control-deps.ts';
import { type DeviceDeps, networkOf } from './limits.ts';
import { readForm } from './oauth-form.ts';
import { apiKeyDeleted } from '../people/note.ts';

/** Throws `last_admin` when nobody could act for the account any more. */
export async function revokeKey(deps: DeviceDeps, c: Context<ControlEnv>): Promise<Response> {
  const form = await readForm(c.req);
  const { apiKeys } = deps.store;
  const key = parseApiKey(form.get('token') ?? '');
  const row = key === null ? null : await apiKeys.findByHash(hashApiKey(key));
  if (row === null) {
    // Only now: strangers' guesses never keep anybody of the same network from ending a key.
    const from = `keys from ${networkOf(c.env.address)}`;
    deps.deviceLimits.requireTries(from);
    deps.deviceLimits.failed(from);
    return c.body(null, 200);
  }
  const { address, requestId } = c.env;
  await recordedChange(
    deps,
    { accountId: row.accountId, address, requestId, actor: { kind: 'key', id: row.id } },
    () => apiKeys.remove(row.accountId, row.id),
    (removed) => removed && apiKeyDeleted(removed),
  );
  await confirmLive(deps);
  return c.body(null, 200);
}
