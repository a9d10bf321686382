// The endpoints of OAuth, for the command line (RFC 8628): it asks for a login here, and a member confirms it
// in the console (`decide.ts`).
//
//   doorward login ──▶ /auth/device ──▶ code, shown on the terminal ──typed by a member──▶ /console/device ──▶ allowed
//         └──────────▶ /auth/token, every five seconds ──────────────────────────────────────────▶ an API key, once

import type { Context } from 'hono';
import type { ControlApi, ControlEnv } from '../control-deps.ts';
import { KEY_SCOPES } from '../../domain/role.ts';
import { beginDeviceLogin } from './begin.ts';
import type { DeviceDeps } from './limits.ts';
import { OAuthError } from './oauth-form.ts';
import { DEVICE_GRANT, pollDeviceLogin } from './poll.ts';
import { revokeKey } from './revoke.ts';

/** Behind what `console/routes.ts` asks of everything below /auth. */
export function addDeviceRoutes(api: ControlApi, deps: DeviceDeps): void {
  api.post('/auth/device', (c) => answer(c, () => beginDeviceLogin(deps, c)));
  api.post('/auth/token', (c) => answer(c, () => pollDeviceLogin(deps, c)));
  api.post('/auth/revoke', (c) => answer(c, () => revokeKey(deps, c)));
  api.get('/.well-known/oauth-authorization-server', (c) =>
    c.json(metadata(deps.settings().console.publicUrl)),
  );
}

async function answer(c: Context<ControlEnv>, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    const status = error.code === 'invalid_client' ? 401 : 400;
    return c.json({ error: error.code, error_description: error.message }, status);
  }
}

/** RFC 8414. */
function metadata(publicUrl: URL): object {
  return {
    issuer: publicUrl.origin,
    device_authorization_endpoint: new URL('/auth/device', publicUrl).href,
    token_endpoint: new URL('/auth/token', publicUrl).href,
    revocation_endpoint: new URL('/auth/revoke', publicUrl).href,
    grant_types_supported: [DEVICE_GRANT],
    response_types_supported: [],
    scopes_supported: KEY_SCOPES,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}
