// A login attempt: what start knows and callback needs, sealed in a host-only cookie of its own whose name is a hash of
// the state (DESIGN 3, Attempts). The state itself is only in the address at the provider, its hash is the attempt's id.

import { idFromBytes, type AttemptId } from '../domain/id.ts';
import { randomBytes, randomToken, shortHash } from '../domain/secret.ts';
import { cookieValues, type CookiePair } from '../http/cookies.ts';
import type { Provider } from '../providers/provider.ts';
import { hostCookie, hostCookieName } from './browser-cookie.ts';
import { consoleFields, isConsoleTarget, readConsole, type ConsoleTarget } from './console-target.ts';
import type { LoginDeps } from './login.ts';
import {
  bytesField,
  hashField,
  idField,
  numberField,
  optionalHashField,
  readRecord,
  textField,
} from './record.ts';
import type { Field, RecordReader } from './record.ts';
import { boundedReturnUrl } from './return-url.ts';
import type { LoginTarget } from './share-for-login.ts';

export type LoginAttempt = {
  readonly id: AttemptId;
  readonly providerName: string;
  readonly providerGeneration: string;
  readonly nonce: string;
  /** RFC 7636; null when the provider does not use PKCE. */
  readonly codeVerifier: string | null;
  /** When the gate sent the visitor to log in, in milliseconds since the epoch; the start itself without a share. */
  readonly setOutAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Null for a login that is for nothing. */
  readonly target: LoginTarget | ConsoleTarget | null;
};

/** What the gate sealed, as far as it counts here. */
type Wanted = (LoginTarget | ConsoleTarget) & { readonly expiresAt: number };

/** A fresh attempt and its state: 128 random bits that are kept nowhere here. */
export function newAttempt(
  deps: LoginDeps,
  provider: Provider,
  wanted: Wanted | null,
): { readonly attempt: LoginAttempt; readonly state: string } {
  const state = randomToken();
  const now = deps.now();
  const { intermediateLifetimeMs } = deps.oauth;
  const attempt: LoginAttempt = {
    id: attemptId(state),
    providerName: provider.name,
    providerGeneration: provider.generation,
    nonce: randomToken(),
    codeVerifier: provider.usesPkce ? randomBytes(VERIFIER_BYTES).toString('base64url') : null,
    setOutAt: wanted === null ? now : Math.min(now, wanted.expiresAt - intermediateLifetimeMs),
    expiresAt: now + intermediateLifetimeMs,
    target: wanted === null ? null : boundedTarget(wanted),
  };
  return { attempt, state };
}

function boundedTarget(target: LoginTarget | ConsoleTarget): LoginTarget | ConsoleTarget {
  if (isConsoleTarget(target)) return target;
  return { ...target, returnUrl: boundedReturnUrl(target.returnUrl) };
}

/** Set-Cookie values: the attempt's own, and those that make the oldest of more than six leave. */
export function attemptCookies(
  deps: LoginDeps,
  begun: { readonly attempt: LoginAttempt; readonly state: string },
  cookies: readonly CookiePair[],
): readonly string[] {
  const { oauth } = deps;
  const maxAgeSeconds = Math.ceil((oauth.intermediateLifetimeMs + EXPLAIN_MS) / 1000);
  const own = hostCookie(oauth, cookieName(begun.state), sealAttempt(deps, begun.attempt), maxAgeSeconds);
  return [own, ...leavingCookies(deps, cookies)];
}

/** Set-Cookie that takes the attempt of this state away. */
export function spentAttemptCookie(deps: LoginDeps, state: string): string {
  return hostCookie(deps.oauth, cookieName(state), '', 0);
}

/**
 * The attempt that this browser began with this state: `missing` when it has no such cookie, `foreign` when the cookie
 * is not one of ours or is another attempt's. Provider and expiry are the caller's to check.
 */
export function findAttempt(
  deps: LoginDeps,
  state: string,
  cookies: readonly CookiePair[],
): LoginAttempt | 'missing' | 'foreign' {
  if (!STATE.test(state)) return 'missing';
  const [value] = cookieValues(cookies, hostCookieName(deps.oauth, cookieName(state)), 1);
  if (value === undefined) return 'missing';
  const attempt = openAttempt(deps, value);
  return attempt !== null && attempt.id === attemptId(state) ? attempt : 'foreign';
}

/** Keeps the five newest beside the one that begins. What cannot be opened goes first. */
function leavingCookies(deps: LoginDeps, cookies: readonly CookiePair[]): readonly string[] {
  const prefix = hostCookieName(deps.oauth, ATTEMPT_COOKIE);
  const known = cookies
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, value }) => ({ name, expiresAt: openAttempt(deps, value)?.expiresAt ?? 0 }));
  const newestFirst = known.toSorted((a, b) => b.expiresAt - a.expiresAt);
  const leaving = newestFirst.filter(({ expiresAt }, index) => index >= MAX_ATTEMPTS - 1 || expiresAt === 0);
  return leaving
    .slice(0, MAX_REMOVALS)
    .map(({ name }) => hostCookie(deps.oauth, ATTEMPT_COOKIE + name.slice(prefix.length), '', 0));
}

function sealAttempt(deps: LoginDeps, attempt: LoginAttempt): string {
  const { target } = attempt;
  const content = Buffer.concat([
    numberField(VERSION, 1),
    idField(attempt.id),
    numberField(attempt.setOutAt, MILLISECONDS_BYTES),
    numberField(attempt.expiresAt, MILLISECONDS_BYTES),
    hashField(attempt.providerGeneration),
    hashField(attempt.nonce),
    bytesField(Buffer.from(attempt.codeVerifier ?? '', 'base64url'), 1),
    textField(attempt.providerName, 1),
    targetFields(target),
  ]);
  return deps.seal.seal('login-attempt', content);
}

function targetFields(target: LoginAttempt['target']): Field {
  if (target === null) return numberField(NOTHING, 1);
  if (isConsoleTarget(target)) return Buffer.concat([numberField(CONSOLE, 1), consoleFields(target)]);
  return Buffer.concat([
    numberField(SHARE, 1),
    idField(target.shareId),
    optionalHashField(target.bindingHash),
    textField(target.returnUrl, 2),
  ]);
}

function openAttempt(deps: LoginDeps, sealed: string): LoginAttempt | null {
  const content = deps.seal.open('login-attempt', sealed);
  return content === null ? null : readRecord(content, readAttempt);
}

function readAttempt(reader: RecordReader): LoginAttempt {
  if (reader.number(1) !== VERSION) return reader.malformed();
  return {
    id: reader.id('att'),
    setOutAt: reader.number(MILLISECONDS_BYTES),
    expiresAt: reader.number(MILLISECONDS_BYTES),
    providerGeneration: reader.hash(),
    nonce: reader.hash(),
    codeVerifier: Buffer.from(reader.bytes(1)).toString('base64url') || null,
    providerName: reader.text(1),
    target: readTarget(reader),
  };
}

function readTarget(reader: RecordReader): LoginAttempt['target'] {
  const kind = reader.number(1);
  if (kind === NOTHING) return null;
  if (kind === CONSOLE) return readConsole(reader);
  if (kind !== SHARE) return reader.malformed();
  return { shareId: reader.id('shr'), bindingHash: reader.optionalHash(), returnUrl: reader.text(2) };
}

function attemptId(state: string): AttemptId {
  return idFromBytes('att', Buffer.from(shortHash(state), 'base64url'));
}

function cookieName(state: string): string {
  return ATTEMPT_COOKIE + shortHash(state).slice(0, NAME_HASH_LENGTH);
}

const ATTEMPT_COOKIE = 'svc-auth-attempt-';
/** 60 bits: enough to tell six apart. */
const NAME_HASH_LENGTH = 10;
/** What `randomToken` makes. */
const STATE = /^[A-Za-z0-9_-]{22}$/;
const VERSION = 1;
/** What an attempt is for. */
const NOTHING = 0;
const SHARE = 1;
const CONSOLE = 2;
const MILLISECONDS_BYTES = 6;
/** 43 characters, the least that RFC 7636 section 4.1 allows, with all 256 bits random. */
const VERIFIER_BYTES = 32;
/** Several tabs log in at once; more would crowd the request headers. */
const MAX_ATTEMPTS = 6;
/** Keeps one answer's headers small when a browser brings many. */
const MAX_REMOVALS = 20;
/** The cookie outlives the attempt by this, so that a late visitor reads "took too long" rather than "not started". */
const EXPLAIN_MS = 60 * 60 * 1000;
