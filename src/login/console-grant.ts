// What the OAuth frontend hands to the control plane after a login for it: who logged in, sealed, for one
// browser, good once and for a minute. It passes in an address, so it says nothing that the person does not
// know.

import { newId, type AttemptId } from '../domain/id.ts';
import type { Identity } from '../domain/identity.ts';
import type { Answer } from '../http/answer.ts';
import type { Provider } from '../providers/provider.ts';
import { redirectAnswer, type Cookies } from './answers.ts';
import { consoleFields, readConsole } from './console-target.ts';
import type { ConsoleTarget } from './login-target.ts';
import type { LoginDeps } from './login-deps.ts';
import { hashField, idField, numberField, readRecord, textField } from './record.ts';
import type { Seal } from './seal.ts';

export type ConsoleGrant = ConsoleTarget & {
  /** Claimed in the store when the grant is used. */
  readonly id: AttemptId;
  readonly identity: Identity;
  readonly providerGeneration: string;
  /** When the login set out, in milliseconds since the epoch. */
  readonly setOutAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
};

export type LoggedIn = Pick<ConsoleGrant, 'setOutAt'> & {
  readonly provider: Provider;
  readonly identity: Identity;
  readonly target: ConsoleTarget;
  readonly cookies: Cookies;
};

/** Sends the browser back to the control plane with a fresh grant. */
export function consoleGrantAnswer(
  deps: LoginDeps,
  { provider, identity, target, setOutAt, cookies }: LoggedIn,
): Answer {
  const location = new URL(COMPLETE_PATH, deps.controlUrl);
  const grant = sealConsoleGrant(deps.seal, {
    ...target,
    id: newId('att'),
    identity,
    providerGeneration: provider.generation,
    setOutAt,
    expiresAt: deps.now() + GRANT_LIFETIME_MS,
  });
  location.searchParams.set('grant', grant);
  return redirectAnswer(location.href, cookies);
}

export function sealConsoleGrant(seal: Seal, grant: ConsoleGrant): string {
  const { identity } = grant;
  const content = Buffer.concat([
    numberField(VERSION, 1),
    idField(grant.id),
    numberField(grant.expiresAt, MILLISECONDS_BYTES),
    numberField(grant.setOutAt, MILLISECONDS_BYTES),
    hashField(grant.providerGeneration),
    textField(identity.provider, 1),
    textField(identity.subject, 2),
    textField(identity.email, 1),
    numberField(identity.emailVerified === true ? 1 : 0, 1),
    consoleFields(grant),
  ]);
  return seal.seal('console-grant', content);
}

/**
 * Null when it was not sealed here; expiry, browser and first use are the caller's to check. Never throws.
 */
export function openConsoleGrant(seal: Seal, sealed: string): ConsoleGrant | null {
  const content = seal.open('console-grant', sealed);
  if (content === null) return null;
  return readRecord(content, (reader): ConsoleGrant => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    return {
      id: reader.id('att'),
      expiresAt: reader.number(MILLISECONDS_BYTES),
      setOutAt: reader.number(MILLISECONDS_BYTES),
      providerGeneration: reader.hash(),
      identity: {
        provider: reader.text(1),
        subject: reader.text(2),
        email: reader.text(1),
        emailVerified: reader.flag(),
      },
      ...readConsole(reader),
    };
  });
}

export const COMPLETE_PATH = '/auth/complete';
/** One redirect; a slow one takes seconds. */
const GRANT_LIFETIME_MS = 60_000;
const VERSION = 3;
const MILLISECONDS_BYTES = 6;
