// POST /auth/key: a person logs in with an API key instead of an identity provider. The session is the key's:
// it may what the key may at that moment, and is over with it. The key itself is looked up and forgotten; the
// cookie holds a token of its own.

import type { Context } from 'hono';
import { randomToken, Secret, secretHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { requireKey } from '../authenticate.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import type { FailedKeys } from '../../domain/failed-keys.ts';
import { checkJsonBody } from '../json-body.ts';
import { sessionToken } from './console-caller.ts';
import { aboutKey, recordedLogin } from './console-note.ts';
import { consoleCookie } from './console-settings.ts';
import { requireOwnPage } from './own-page.ts';

export async function logInWithKey(
  deps: ControlDeps & { readonly failedKeys: FailedKeys },
  c: Context<ControlEnv>,
): Promise<Response> {
  const settings = deps.settings().console;
  requireOwnPage(c.req, settings.publicUrl);
  await checkJsonBody(c);
  const key = await requireKey(keyIn(await c.req.json()), c.env, deps);
  if (key.scope === 'tunnel')
    throw new ServiceError('not_allowed', 'Cannot log in with this API key: it can only serve tunnels', {
      hint: 'Use a key with scope "read" or "full".',
    });
  const token = new Secret(randomToken());
  const former = sessionToken(deps, c.req);
  const createdAt = deps.now();
  const expiresAt = Math.min(createdAt + KEY_SESSION_LIFETIME_MS, key.expiresAt ?? Infinity);
  const session = {
    keyId: key.id,
    hash: secretHash(token),
    createdAt,
    expiresAt,
    ip: c.env.address,
    replaces: former === null ? null : secretHash(former),
  };
  await recordedLogin(
    deps,
    c.env,
    () => deps.store.consoleSessions.beginWithKey(session),
    () => [{ ...aboutKey(key), kind: 'console.login' }],
  );
  const maxAgeSeconds = Math.ceil((expiresAt - createdAt) / 1000);
  c.header(
    'set-cookie',
    consoleCookie(settings, { name: 'svc-control', value: token.reveal(), maxAgeSeconds }),
  );
  return c.body(null, 204);
}

/** Throws `validation_failed` for anything but `{apiKey}`. */
function keyIn(body: unknown): string {
  const given = typeof body === 'object' && body !== null && 'apiKey' in body ? body.apiKey : null;
  if (typeof given === 'string' && Object.keys(body ?? {}).length === 1) return given.trim();
  throw new ServiceError('validation_failed', 'Cannot log in: the body is not {"apiKey": "dw_…"}', {
    extra: { faults: [{ path: 'apiKey', message: 'send the API key as text, and nothing else' }] },
  });
}

/** A working day. */
const KEY_SESSION_LIFETIME_MS = 12 * 60 * 60 * 1000;
