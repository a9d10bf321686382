// A login attempt: what start knows and callback needs, sealed in a host-only cookie of its own whose name is
// a hash of the state (DESIGN "Attempts"). The state itself is only in the address at the provider, its hash
// is the attempt's id.

import { idFromBytes, type AttemptId } from '../domain/id.ts';
import { randomBytes, randomToken, shortHash } from '../domain/secret.ts';
import { cookieValues, type CookiePair } from '../http/cookies.ts';
import type { Provider } from '../providers/provider.ts';
import { readTarget, targetFields } from './attempt-target.ts';
import type { AttemptTarget } from './login-target.ts';
import { hostCookie, hostCookieName } from './browser-cookie.ts';
import { openLeft, sealLeft, type LeftAttempt } from './left-attempt.ts';
import type { LoginDeps } from './login-deps.ts';
import {
  bytesField,
  hashField,
  idField,
  numberField,
  readRecord,
  textField,
  type RecordReader,
} from './record.ts';
import { boundedReturnUrl } from './return-url.ts';

export type LoginAttempt = {
  readonly id: AttemptId;
  readonly providerName: string;
  readonly providerGeneration: string;
  readonly nonce: string;
  /** RFC 7636; null when the provider does not use PKCE. */
  readonly codeVerifier: string | null;
  /**
   * When the gate sent the visitor to log in, in milliseconds since the epoch; the start itself without a
   * share.
   */
  readonly setOutAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Null for a login that is for nothing. */
  readonly target: AttemptTarget;
};

/** What the gate sealed, as far as it counts here. */
type Wanted = NonNullable<AttemptTarget> & { readonly expiresAt: number };

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

function boundedTarget(target: NonNullable<AttemptTarget>): AttemptTarget {
  if ('kind' in target) return target;
  return { ...target, returnUrl: boundedReturnUrl(target.returnUrl) };
}

/**
 * Set-Cookie values: the attempt's own, and those that make the oldest of more than six leave, but for a note
 * of them.
 */
export function attemptCookies(
  deps: LoginDeps,
  begun: { readonly attempt: LoginAttempt; readonly state: string },
  cookies: readonly CookiePair[],
): readonly string[] {
  const name = cookieName(begun.state);
  const { expiresAt } = begun.attempt;
  const own = attemptCookie(deps, { name, value: sealAttempt(deps, begun.attempt), expiresAt });
  return [own, ...leavingCookies(deps, cookies)];
}

/** Set-Cookie that takes the attempt of this state away. */
export function spentAttemptCookie(deps: LoginDeps, state: string): string {
  return hostCookie(deps.oauth, cookieName(state), '', 0);
}

/**
 * The attempt that this browser began with this state, or the note of one that left: `missing` when it has no
 * such cookie, `foreign` when the cookie is not one of ours or is another attempt's. Provider and expiry are
 * the caller's to check.
 */
export function findAttempt(
  deps: LoginDeps,
  state: string,
  cookies: readonly CookiePair[],
): LoginAttempt | LeftAttempt | 'missing' | 'foreign' {
  if (!STATE.test(state)) return 'missing';
  const [value] = cookieValues(cookies, hostCookieName(deps.oauth, cookieName(state)), 1);
  if (value === undefined) return 'missing';
  const attempt = openAttempt(deps, value) ?? openLeft(deps.seal, value);
  return attempt !== null && attempt.id === attemptId(state) ? attempt : 'foreign';
}

/**
 * Keeps the five newest beside the one that begins, and notes of the last that left. What cannot be opened
 * goes.
 */
function leavingCookies(deps: LoginDeps, cookies: readonly CookiePair[]): readonly string[] {
  const prefix = hostCookieName(deps.oauth, ATTEMPT_COOKIE);
  const known = cookies
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, value }) => {
      const attempt = openAttempt(deps, value);
      const note = attempt === null ? openLeft(deps.seal, value) : null;
      return { name: ATTEMPT_COOKIE + name.slice(prefix.length), attempt, note };
    });
  const attempts = known.flatMap(({ name, attempt }) => (attempt === null ? [] : [{ name, ...attempt }]));
  const leaving = newestFirst(attempts).slice(MAX_ATTEMPTS - 1);
  const left = known.flatMap(({ name, note }) => (note === null ? [] : [{ name, ...note }]));
  const noted = newestFirst([...leaving, ...left]);
  const fresh = noted.slice(0, MAX_LEFT).filter(({ name }) => leaving.some((each) => each.name === name));
  const gone = [
    ...known.filter(({ attempt, note }) => attempt === null && note === null),
    ...noted.slice(MAX_LEFT),
  ];
  return [
    ...fresh.map(({ name, ...note }) =>
      attemptCookie(deps, { ...note, name, value: sealLeft(deps.seal, note) }),
    ),
    ...gone.slice(0, MAX_REMOVALS).map(({ name }) => hostCookie(deps.oauth, name, '', 0)),
  ];
}

function newestFirst<T extends { readonly expiresAt: number }>(list: readonly T[]): readonly T[] {
  return list.toSorted((a, b) => b.expiresAt - a.expiresAt);
}

function attemptCookie(
  deps: LoginDeps,
  cookie: { readonly name: string; readonly value: string; readonly expiresAt: number },
): string {
  const restMs = cookie.expiresAt + EXPLAIN_MS - deps.now();
  return hostCookie(deps.oauth, cookie.name, cookie.value, Math.max(0, Math.ceil(restMs / 1000)));
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
const MILLISECONDS_BYTES = 6;
/** 43 characters, the least that RFC 7636 section 4.1 allows, with all 256 bits random. */
const VERIFIER_BYTES = 32;
/** Several tabs log in at once; more would crowd the request headers. */
const MAX_ATTEMPTS = 6;
/** Short notes, which explain to as many more tabs why their login cannot be completed. */
const MAX_LEFT = 6;
/** Keeps one answer's headers small when a browser brings many. */
const MAX_REMOVALS = 20;
/**
 * The cookie outlives the attempt by this, so that a late visitor reads "took too long" rather than "not
 * started".
 */
const EXPLAIN_MS = 60 * 60 * 1000;
