// POST /auth/token (RFC 8628 section 3.4): the command line asks whether its login was confirmed. While it is
// not, nothing is written; once it is, the login is used up in the transaction that makes the key, which is
// the answer.

import type { Context } from 'hono';
import { actorText } from '../../domain/actor.ts';
import { hashApiKey, newApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';
import { lesserRights, type Rights } from '../../domain/role.ts';
import { randomBytes, Secret, secretHash } from '../../domain/secret.ts';
import { secretStart } from '../../domain/secret-start.ts';
import type { MemberSession } from '../../store/people/console-session.ts';
import type { DeviceDecision, DeviceLogin } from '../../store/people/device-login.ts';
import type { LimitedApiKey } from '../../store/people/people.ts';
import { recordedChange } from '../change-note.ts';
import { countingSession } from '../console/console-caller.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { requireSecureChannel } from '../certificates/secure-channel.ts';
import { requireCertificateOf } from '../who-calls.ts';
import { type DeviceDeps, networkOf } from './limits.ts';
import { OAuthError, readForm, requireClient } from './oauth-form.ts';
import { apiKeyCreated } from '../people/note.ts';

export async function pollDeviceLogin(deps: DeviceDeps, c: Context<ControlEnv>): Promise<Response> {
  requireSecureChannel(deps.settings().console.publicUrl);
  const form = await readForm(c.req);
  if (form.get('grant_type') !== DEVICE_GRANT)
    throw new OAuthError('unsupported_grant_type', `use the grant_type "${DEVICE_GRANT}"`);
  requireClient(form);
  const { decision, hash, login } = await requireDecided(deps, c.env.address, form.get('device_code') ?? '');
  await requireCertificateOf(deps, c.env, decision.accountId);
  const session = await countingSession(deps, decision.sessionHash);
  if (session?.kind !== 'member' || session.member.id !== decision.memberId)
    throw new OAuthError('access_denied', 'the member who confirmed the login is no longer logged in');
  const key = await exchange(deps, c.env, { hash, login, session });
  return c.json({
    access_token: key.reveal(),
    token_type: 'Bearer',
    expires_in: DEVICE_KEY_LIFETIME_MS / 1000,
    scope: rightsOf(login, session).scope,
  });
}

type Decided = { readonly hash: string; readonly login: DeviceLogin; readonly decision: DeviceDecision };

/** The login that was allowed. Throws `OAuthError` for any other. */
async function requireDecided(
  { store, now, deviceLimits }: DeviceDeps,
  address: string,
  code: string,
): Promise<Decided> {
  const hash = secretHash(new Secret(code));
  if (!DEVICE_CODE.test(code)) throw used();
  if (!deviceLimits.mayPoll(hash))
    throw new OAuthError('slow_down', 'wait five seconds longer between polls');
  const login = await store.deviceLogins.find(hash);
  if (login === null) {
    // Only now: strangers' guesses never stop a device of the same network that has a code.
    const from = `device codes from ${networkOf(address)}`;
    deviceLimits.requireTries(from);
    deviceLimits.failed(from);
    throw used();
  }
  if (now() >= login.expiresAt) throw new OAuthError('expired_token', 'the login was not confirmed in time');
  if (login.decision === null)
    throw new OAuthError('authorization_pending', 'the login is not confirmed yet');
  if (login.decision.kind === 'denied') throw new OAuthError('access_denied', 'the login was denied');
  return { hash, login, decision: login.decision };
}

type Exchange = { readonly hash: string; readonly login: DeviceLogin; readonly session: MemberSession };

/**
 * Throws `invalid_grant` when another took it meanwhile, or the session ended. The key is its member's: never
 * more than the member, and gone with the member; and it counts no longer than the session's login at its
 * provider.
 */
async function exchange(
  deps: ControlDeps,
  { address, requestId }: ControlEnv['Bindings'],
  { hash, login, session }: Exchange,
): Promise<Secret> {
  const { member, provider, generation, person } = session;
  const key = newApiKey();
  const createdAt = deps.now();
  const row: LimitedApiKey = {
    id: newId('key'),
    accountId: member.accountId,
    name: keyName(login.name),
    hash: hashApiKey(key),
    start: secretStart(key),
    createdAt,
    ...rightsOf(login, session),
    expiresAt: createdAt + DEVICE_KEY_LIFETIME_MS,
    memberId: member.id,
    createdBy: actorText({ kind: 'member', id: member.id }),
    login: { provider, generation, emailVerified: person?.emailVerified === true },
  };
  const { deviceLogins, apiKeys } = deps.store;
  await recordedChange(
    deps,
    { accountId: member.accountId, address, requestId, actor: { kind: 'member', id: member.id } },
    async () => {
      // The key first, which holds the member's row: whoever takes the member over at this moment finds the
      // key to end it, or has ended the session that the login is taken by.
      await apiKeys.create(row, { keyId: null }, deps.settings().limits.apiKeys);
      if ((await deviceLogins.take(hash, createdAt)) === null) throw used();
    },
    () => apiKeyCreated(row),
  );
  return key;
}

/** What was asked for, as far as the member's role goes. Throws `access_denied` when nothing is left. */
function rightsOf({ scope }: DeviceLogin, { member: { role } }: MemberSession): Rights {
  if (scope === 'tunnel' && role === 'auditor')
    throw new OAuthError('access_denied', 'the member is an auditor, who cannot serve shares');
  return lesserRights({ role, scope }, role);
}

/** Of what the device calls itself, and some digits, so that each login has a key of its own. */
function keyName(device: string): string {
  const words = device
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_WORDS)
    .replaceAll(/^-+|-+$/g, '');
  return ['cli', words, randomBytes(NAME_BYTES).toString('hex')].filter((part) => part !== '').join('-');
}

function used(): OAuthError {
  return new OAuthError('invalid_grant', 'the device_code is unknown or was already used');
}

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** A month: long enough not to be in the way, short enough that a forgotten machine is out of it. */
export const DEVICE_KEY_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
const DEVICE_CODE = /^[A-Za-z0-9_-]{43}$/;
/** With the rest, no more than the 40 of a name. */
const MAX_WORDS = 25;
const NAME_BYTES = 4;
