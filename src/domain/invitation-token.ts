// Tokens of invitations: `dwi_` and 256 random bits, good for one login. As with API keys, their SHA-256
// alone is kept.

import { randomBytes, Secret } from './secret.ts';

/** A fresh token. It can be shown once, when the invitation is made. */
export function newInvitationToken(): Secret {
  return new Secret(`dwi_${randomBytes(TOKEN_BYTES).toString('base64url')}`);
}

/** The text as a token, or null when it cannot be one. */
export function parseInvitationToken(text: string): Secret | null {
  return INVITATION_TOKEN.test(text) ? new Secret(text) : null;
}

const TOKEN_BYTES = 32;
const INVITATION_TOKEN = /^dwi_[A-Za-z0-9_-]{43}$/;
