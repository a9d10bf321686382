// How the command line asks to be logged in (RFC 8628), and ends its key again (RFC 7009). These are forms,
// and no credential goes with them.

import { Secret } from '../domain/secret.ts';
import type { KeyScope } from '../domain/role.ts';
import { parseJson, refusal, sendOrExplain } from './call-api.ts';
import type { CallAnswer, Send } from './sent-call.ts';

export type DeviceCodes = {
  readonly deviceCode: Secret;
  /** `BCDF-GHJK`, for a person to type. */
  readonly userCode: string;
  readonly verificationUri: string;
  readonly expiresInMs: number;
  readonly intervalMs: number;
};

export type DevicePoll =
  | { readonly kind: 'allowed'; readonly apiKey: Secret }
  | { readonly kind: 'pending' | 'slow_down' | 'denied' | 'expired' };

/** Each throws what the control plane answers, and `control_unreachable`. */
export type OAuthCalls = {
  readonly begin: (input: { readonly device: string; readonly scope: KeyScope }) => Promise<DeviceCodes>;
  readonly poll: (deviceCode: Secret) => Promise<DevicePoll>;
  /** The key is worth nothing afterwards, whether it was worth something before or not. */
  readonly revoke: (apiKey: Secret) => Promise<void>;
};

export function oauthCalls(url: URL, send: Send): OAuthCalls {
  const post = async (path: string, form: Readonly<Record<string, string>>): Promise<CallAnswer> =>
    sendOrExplain(send, {
      method: 'POST',
      url: new URL(path, url),
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
  return {
    begin: async ({ device, scope }) => {
      const answer = await post('/auth/device', { client_id: CLIENT_ID, device_name: device, scope });
      const document = parseJson(answer);
      const codes = answer.status === 200 ? codesIn(url, document) : null;
      if (codes === null) throw refusal(url, answer, document);
      return codes;
    },
    poll: async (deviceCode) => {
      const answer = await post('/auth/token', {
        client_id: CLIENT_ID,
        grant_type: DEVICE_GRANT,
        device_code: deviceCode.reveal(),
      });
      const document = parseJson(answer);
      const token = document?.['access_token'];
      if (answer.status === 200 && typeof token === 'string')
        return { kind: 'allowed', apiKey: new Secret(token) };
      const kind = POLLS[String(document?.['error'])];
      if (kind === undefined) throw refusal(url, answer, document);
      return { kind };
    },
    revoke: async (apiKey) => {
      const answer = await post('/auth/revoke', { client_id: CLIENT_ID, token: apiKey.reveal() });
      if (answer.status !== 200) throw refusal(url, answer, parseJson(answer));
    },
  };
}

/**
 * Null for what no service of ours answers: nobody is sent to type a code at another place, or waits for what
 * is no time.
 */
function codesIn(url: URL, document: Readonly<Record<string, unknown>> | null): DeviceCodes | null {
  const deviceCode = document?.['device_code'];
  const userCode = document?.['user_code'];
  const verificationUri = document?.['verification_uri'];
  const expiresIn = document?.['expires_in'];
  // Five seconds unless said (RFC 8628 section 3.2).
  const interval = document?.['interval'] ?? 5;
  if (typeof deviceCode !== 'string' || typeof userCode !== 'string' || typeof verificationUri !== 'string')
    return null;
  if (!URL.canParse(verificationUri) || new URL(verificationUri).origin !== url.origin) return null;
  if (!isWithin(interval, MAX_INTERVAL_S) || !isWithin(expiresIn, MAX_LIFETIME_S)) return null;
  return {
    deviceCode: new Secret(deviceCode),
    userCode,
    verificationUri,
    expiresInMs: expiresIn * 1000,
    intervalMs: interval * 1000,
  };
}

function isWithin(seconds: unknown, most: number): seconds is number {
  return typeof seconds === 'number' && seconds >= 1 && seconds <= most;
}

const MAX_INTERVAL_S = 60;
/** Nobody walks to a browser for longer. */
const MAX_LIFETIME_S = 3_600;
/** A code that is used or unknown is one that is over. */
const POLLS: Readonly<Record<string, Exclude<DevicePoll['kind'], 'allowed'> | undefined>> = {
  authorization_pending: 'pending',
  slow_down: 'slow_down',
  access_denied: 'denied',
  expired_token: 'expired',
  invalid_grant: 'expired',
};
const CLIENT_ID = 'doorward-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
