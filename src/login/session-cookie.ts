// The session cookie's content: a compact list of sessions, sealed (contract 2.5). What is in it says who;
// whether a session still lives is in the store. Provider tokens never enter it.

import { parseEmailAddress } from '../domain/email-address.ts';
import { hasBeyondAscii } from '../domain/international-address.ts';
import type { Session } from '../domain/session.ts';
import {
  hashField,
  idField,
  numberField,
  optionalHashField,
  readRecord,
  textField,
  type RecordReader,
} from './record.ts';
import type { Seal } from './seal.ts';

/** Newest first; the oldest are left out when the sealed text would pass 3,800 bytes. */
export function sealSessions(seal: Seal, sessions: readonly Session[]): string {
  const fields: Uint8Array[] = [numberField(VERSION, 1)];
  let length = 1;
  for (const session of sessions) {
    const record = sessionRecord(session);
    length += record.length;
    if (length > MAX_CONTENT_BYTES) break;
    fields.push(record);
  }
  return seal.seal('session', Buffer.concat(fields));
}

/** Null when it was not sealed here. Never throws. */
export function openSessions(seal: Seal, cookieValue: string): readonly Session[] | null {
  const content = seal.open('session', cookieValue);
  return content === null ? null : readRecord(content, readSessions);
}

/** One session, as it stands in sealed texts. */
export function sessionRecord(session: Session): Uint8Array {
  return Buffer.concat([
    idField(session.id),
    idField(session.shareId),
    hashField(session.providerGeneration),
    numberField(Math.floor(session.expiresAt / 1000), SECONDS_BYTES),
    optionalHashField(session.bindingHash),
    textField(session.email, 1),
  ]);
}

function readSessions(reader: RecordReader): readonly Session[] {
  if (reader.number(1) !== VERSION) return reader.malformed();
  const sessions: Session[] = [];
  while (!reader.atEnd()) sessions.push(readSession(reader));
  return sessions;
}

/** What `sessionRecord()` wrote. */
export function readSession(reader: RecordReader): Session {
  const session: Session = {
    id: reader.id('ses'),
    shareId: reader.id('shr'),
    providerGeneration: reader.hash(),
    expiresAt: reader.number(SECONDS_BYTES) * 1000,
    bindingHash: reader.optionalHash(),
    email: reader.text(1),
  };
  return isSound(session.email) ? session : reader.malformed();
}

/** An email goes into a header: nothing else may come out of a cookie, whoever sealed it. */
function isSound(email: string): boolean {
  return PRINTABLE.test(email) || (hasBeyondAscii(email) && parseEmailAddress(email) === email);
}

const VERSION = 1;
/** Seconds since the epoch until the year 36812. */
const SECONDS_BYTES = 5;
/**
 * Sealed, this is 3,776 characters: browsers keep 4,096 for name, value and attributes together (RFC 6265
 * 6.1).
 */
const MAX_CONTENT_BYTES = 2_703;
const PRINTABLE = /^[!-~]{3,254}$/;
