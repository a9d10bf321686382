// POST /auth/device (RFC 8628 section 3.1): the command line asks to be logged in. It gets a code for itself
// and one for a person to type into the console; until they do, nothing was given to anybody.

import type { Context } from 'hono';
import { newId } from '../../domain/id.ts';
import { KEY_SCOPES, type KeyScope } from '../../domain/role.ts';
import { randomBytes, Secret, secretHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { formatUserCode, newUserCode } from '../../domain/user-code.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { heldCertificate } from '../certificates/holder.ts';
import { requireSecureChannel } from '../certificates/secure-channel.ts';
import { DEVICE_LIFETIME_MS, type DeviceDeps, networkOf, POLL_INTERVAL_MS, WAITING } from './limits.ts';
import { OAuthError, readForm, requireClient } from './oauth-form.ts';

export async function beginDeviceLogin(deps: DeviceDeps, c: Context<ControlEnv>): Promise<Response> {
  const { publicUrl } = deps.settings().console;
  requireSecureChannel(publicUrl);
  const form = await readForm(c.req);
  requireClient(form);
  await requireUsableKey(deps, c.env);
  const asked = { scope: readScope(form.get('scope')), name: readName(form.get('device_name')) };
  deps.deviceLimits.begin(c.env.address);
  const codes = await begin(deps, c.env.address, asked);
  return c.json({
    device_code: codes.device.reveal(),
    user_code: formatUserCode(codes.user),
    // Without the code in it: whoever follows a link that somebody sent must still read and type what a
    // device of their own shows.
    verification_uri: new URL('/console/device', publicUrl).href,
    expires_in: DEVICE_LIFETIME_MS / 1000,
    interval: POLL_INTERVAL_MS / 1000,
  });
}

/**
 * Where certificates are required, an API key counts beside one alone: nobody is asked to confirm a login
 * that gives nothing.
 */
async function requireUsableKey(deps: ControlDeps, env: ControlEnv['Bindings']): Promise<void> {
  if (deps.settings().clientCertificates !== 'required') return;
  if (env.certificate === null)
    throw new ServiceError(
      'certificate_required',
      'Cannot log in a device: this API accepts API keys only together with a client certificate, and the call has none',
      { hint: 'Log in with a certificate that has an API role: doorward login --cert FILE.' },
    );
  await heldCertificate(deps, env);
}

type Asked = { readonly scope: KeyScope; readonly name: string };
type Codes = { readonly device: Secret; readonly user: string };

async function begin({ store, now }: ControlDeps, address: string, asked: Asked): Promise<Codes> {
  const createdAt = now();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const device = new Secret(randomBytes(DEVICE_CODE_BYTES).toString('base64url'));
    const user = newUserCode();
    const login = {
      ...asked,
      id: newId('dvl'),
      deviceHash: secretHash(device),
      userHash: secretHash(new Secret(user)),
      ip: address,
      network: networkOf(address),
      createdAt,
      expiresAt: createdAt + DEVICE_LIFETIME_MS,
    };
    const begun = await store.deviceLogins.begin(login, WAITING);
    if (begun === 'begun') return { device, user };
    if (begun === 'full')
      throw new ServiceError(
        'rate_limited',
        'Cannot log in a device: too many logins are waiting for confirmation',
        {
          hint: 'Try again in a few minutes, or log in with an API key.',
          extra: { retryAfterSeconds: RETRY_SECONDS },
        },
      );
  }
  throw new ServiceError('internal', 'Cannot log in a device: no code is free');
}

function readScope(text: string | null): KeyScope {
  if (text === null) return 'full';
  const scope = KEY_SCOPES.find((each) => each === text);
  if (scope === undefined)
    throw new OAuthError('invalid_scope', `use one of these scopes: ${KEY_SCOPES.join(', ')}`);
  return scope;
}

/** Somebody else's words, which a person is shown: one short line of them. */
function readName(text: string | null): string {
  const name = (text ?? '')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, MAX_NAME_LENGTH);
  return name === '' ? 'an unnamed device' : name;
}

const DEVICE_CODE_BYTES = 32;
/** Two alike among a thousand of 34 bits: once in ten million logins, and then another is drawn. */
const MAX_TRIES = 3;
const MAX_NAME_LENGTH = 60;
const RETRY_SECONDS = 60;
