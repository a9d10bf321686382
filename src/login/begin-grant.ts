// The last leg of a login over https (contract 4.1; ARCHITECTURE.md, "One login"): what the callback hands to
// the gate through the browser, sealed, good once and for thirty seconds. The gate takes it only on the host
// that the login set out from, beside the binding cookie that this browser got there. It says nothing that
// the session cookie does not, and where that does not reach it brings what it says.

import type { SessionId, ShareId } from '../domain/id.ts';
import type { Session } from '../domain/session.ts';
import { hashField, idField, numberField, optionalHashField, readRecord, textField } from './record.ts';
import type { Seal } from './seal.ts';
import { readSession, sessionRecord } from './session-cookie.ts';

export type BeginGrant = {
  readonly sessionId: SessionId;
  readonly shareId: ShareId;
  /**
   * `shortHash` of the binding cookie that the login set out with; null over plain HTTP, where nothing is
   * confirmed.
   */
  readonly bindingHash: string | null;
  /** Where the visitor wanted to go: its origin is the one place where the grant counts. */
  readonly returnUrl: string;
  /** Names this browser's cookies that hold all of the address when `returnUrl` is only a part of it. */
  readonly addressKey: string | null;
  /** When the gate sent the visitor to log in, in milliseconds since the epoch. */
  readonly setOutAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** What the host's own session cookie is to say; null where the one of `cookie_domain` reaches. */
  readonly session: Session | null;
};

/**
 * The address on the host of the return URL that confirms the session, below which a long address is kept.
 */
export function beginUrl(seal: Seal, grant: Omit<BeginGrant, 'expiresAt'>, now: number): string {
  const { bindingHash, addressKey, session } = grant;
  const isPlain = addressKey === null && bindingHash !== null && session === null;
  const version = session !== null ? VERSION_WITH_SESSION : isPlain ? VERSION : VERSION_WITH_KEY;
  const content = Buffer.concat([
    numberField(version, 1),
    idField(grant.sessionId),
    idField(grant.shareId),
    isPlain ? hashField(bindingHash) : optionalHashField(bindingHash),
    numberField(grant.setOutAt, MILLISECONDS_BYTES),
    numberField(now + GRANT_LIFETIME_MS, MILLISECONDS_BYTES),
    textField(grant.returnUrl, 2),
    ...(isPlain ? [] : [optionalHashField(addressKey)]),
    ...(session === null ? [] : [sessionRecord(session)]),
  ]);
  const path = addressKey === null ? BEGIN_PATH : `${BEGIN_PATH}/${addressKey}`;
  return `${new URL(grant.returnUrl).origin}${path}?grant=${seal.seal('begin-grant', content)}`;
}

/**
 * Null when it was not sealed here as one; place, browser, time and use are the caller's to check. Never
 * throws.
 */
export function openBeginGrant(seal: Seal, sealed: string): BeginGrant | null {
  const content = seal.open('begin-grant', sealed);
  if (content === null) return null;
  return readRecord(content, (reader): BeginGrant => {
    const version = reader.number(1);
    if (!VERSIONS.has(version)) return reader.malformed();
    return {
      sessionId: reader.id('ses'),
      shareId: reader.id('shr'),
      bindingHash: version === VERSION ? reader.hash() : reader.optionalHash(),
      setOutAt: reader.number(MILLISECONDS_BYTES),
      expiresAt: reader.number(MILLISECONDS_BYTES),
      returnUrl: reader.text(2),
      addressKey: version === VERSION ? null : reader.optionalHash(),
      session: version === VERSION_WITH_SESSION ? readSession(reader) : null,
    };
  });
}

export const BEGIN_PATH = '/.svc/begin';
/** One redirect; a slow one takes seconds. */
const GRANT_LIFETIME_MS = 30_000;
const VERSION = 1;
/** Only where it is needed: the version before reads all others while gateways are replaced. */
const VERSION_WITH_KEY = 2;
/** Only for hosts at which the version before has no login. */
const VERSION_WITH_SESSION = 3;
const VERSIONS: ReadonlySet<number> = new Set([VERSION, VERSION_WITH_KEY, VERSION_WITH_SESSION]);
const MILLISECONDS_BYTES = 6;
