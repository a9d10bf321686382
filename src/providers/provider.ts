// A usable identity provider. `login/` knows this type and no other; `google.ts`, `github.ts` and `oidc.ts`
// make it. Every call has a time limit, and throws `ServiceError` with `provider_unreachable` (network,
// timeout, 5xx: worth trying again), `provider_error` (it answered wrongly), `access_denied`,
// `email_unusable` or `email_unverified`.

import type { LoginStrength } from '../domain/login-strength.ts';
import type { Identity } from '../domain/identity.ts';
import type { ProviderAppearance } from '../domain/provider-appearance.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import type { Secret } from '../domain/secret.ts';
import type { RefreshRefusal } from './refreshed-id-token.ts';

export interface Provider extends ProviderRef {
  /** How people see it where they choose; by its name alone unless said. */
  readonly appearance?: ProviderAppearance;
  /** Whether an attempt must carry a PKCE verifier (RFC 7636, always S256). */
  readonly usesPkce: boolean;
  /** Whether nobody is identified whose address the provider does not call verified. */
  readonly verifiesEmail: boolean;
  /** What each login must show, by the settings; nothing unless said. */
  readonly strength?: LoginStrength;
  /**
   * Whether a login that brought no refresh token may bring one once the person was asked for consent. No
   * unless said: not where the settings name a prompt, or none at all.
   */
  readonly mayAskConsent?: boolean;
  /**
   * Whether nobody should be sent there now: its last calls all failed, moments ago. Not known unless said.
   */
  readonly isDown?: () => boolean;
  /** Where to send the browser (RFC 6749 section 4.1.1; OpenID Connect Core 3.1.2.1). */
  authorizeUrl(start: AuthorizeStart): Promise<URL>;
  /**
   * Exchanges the code of a callback for tokens, once all of the response was checked (state, `iss`, id
   * token, nonce).
   */
  exchange(callback: CallbackResponse): Promise<Tokens>;
  /**
   * Who the tokens are for. Reads the user info and judges the email. Ends with `signal`, if given, at the
   * latest.
   */
  identify(tokens: Tokens, signal?: AbortSignal): Promise<Identity>;
  /**
   * New tokens for a refresh token; null when the provider says that it is no good any more, in whatever
   * words. All of its calls, discovery too, end with `signal`, if given, at the latest. Before it throws,
   * `keep` is given a new refresh token that came with an answer which could not be believed, or not yet: the
   * former one may be worth nothing any more. An answer that is of another subject or login is refused as a
   * whole, with its tokens, which are good for nothing but to be revoked.
   */
  readonly refresh?: (
    tokens: Tokens,
    signal?: AbortSignal,
    keep?: (rotated: Secret) => Promise<unknown>,
  ) => Promise<Tokens | RefusedGrant | null>;
  /** Revokes the tokens at the provider (contract 4.2 point 1). Failure is the caller's to ignore. */
  readonly revoke?: (tokens: Tokens, signal: AbortSignal) => Promise<void>;
  /**
   * Revoking takes these tokens and nothing else; at most providers it can take all that the person granted.
   */
  readonly revokesTheseAlone?: boolean;
  /**
   * Where a browser logs out at the provider too (RP-Initiated Logout 1.0), when its settings ask for that;
   * null when it has no such address.
   */
  readonly endSessionUrl?: (end: EndSession) => Promise<URL | null>;
  /**
   * What the provider says in a logout token, once all of it was checked (Back-Channel Logout 1.0 section
   * 2.6).
   */
  readonly verifyLogoutToken?: (token: string) => Promise<LogoutToken>;
}

export type AuthorizeStart = {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Null when the provider does not use PKCE. */
  readonly codeVerifier: string | null;
  /** Asks the provider to let the person choose another account, or to log in again. */
  readonly selectAccount: boolean;
  /** How strong the login must be; any unless said. Whether it is, is the caller's to check. */
  readonly strength?: LoginStrength;
  /** Asks for consent: the person of this address, who just logged in. Nobody unless said. */
  readonly consentOf?: string;
};

export type EndSession = {
  /** Tells the provider whose session is meant; null when none is kept. */
  readonly idToken: Secret | null;
  /** As registered at the provider. */
  readonly returnTo: string;
  readonly state: string;
};

export type CallbackResponse = {
  /** The whole callback URL as the browser asked for it, on `redirectUri`. */
  readonly url: URL;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string | null;
};

/** Who logged out there, by a logout token. */
export type LogoutToken = {
  /** Who; null when it is one session whoever's it is. */
  readonly subject: string | null;
  /** Which session at the provider; null when it is all of the person's. */
  readonly sid: string | null;
  /** `jti`: no two tokens of a provider have the same. */
  readonly id: string;
  /** From when on it would be refused anyway, in milliseconds since the epoch. */
  readonly expiresAt: number;
};

export type RefusedGrant = { readonly refused: RefreshRefusal; readonly tokens: Tokens };

/** What is kept of a grant, encrypted, in the store. */
export type Tokens = {
  readonly accessToken: Secret;
  readonly refreshToken: Secret | null;
  readonly idToken: Secret | null;
  /** Whether it came with the access token; it is of a login or check before unless said. */
  readonly idTokenIsNew?: boolean;
  /** `sub` of the validated id token; null for providers without one. */
  readonly subject: string | null;
  /** `sid` of the id token: the login at the provider, for its logout messages. */
  readonly sid?: string | null;
};
