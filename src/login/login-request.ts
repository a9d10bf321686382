// The sealed `request` parameter of `/<provider>/login`: what the gate tells the login about where a visitor
// wanted to go.

import type { ShareId } from '../domain/id.ts';
import {
  ANY_STRENGTH,
  boundedStrength,
  isAnyStrength,
  type LoginStrength,
} from '../domain/login-strength.ts';
import {
  type Field,
  hashField,
  idField,
  numberField,
  optionalHashField,
  readRecord,
  type RecordReader,
  textField,
} from './record.ts';
import { boundedReturnUrl } from './return-url.ts';
import type { Seal } from './seal.ts';
import { readStrength, strengthField } from './strength-field.ts';

export type LoginRequest = {
  readonly shareId: ShareId;
  readonly providerName: string;
  /** The whole URL on the share, query string included. */
  readonly returnUrl: string;
  /**
   * Names the cookies of the share's host that hold a return URL too long to travel; null when it is above.
   */
  readonly addressKey: string | null;
  /** `shortHash` of the share host's binding cookie; null over plain HTTP. */
  readonly bindingHash: string | null;
  /** "Use another account": the provider is asked for another. */
  readonly selectAccount: boolean;
  /** How strong the login must be; any unless said. */
  readonly strength?: LoginStrength;
  /** Milliseconds since the epoch: `intermediate_lifetime` after it was made. */
  readonly expiresAt: number;
};

/**
 * A return URL over 1 KB is cut to its path, or to `/`, so that the link always fits; `addressKey` finds the
 * whole one.
 */
export function sealLoginRequest(seal: Seal, request: LoginRequest): string {
  return seal.seal('login-request', loginRequestFields(request));
}

/** Null when it was not sealed here; `expiresAt` is the caller's to check. Never throws. */
export function openLoginRequest(seal: Seal, sealed: string): LoginRequest | null {
  const content = seal.open('login-request', sealed);
  return content === null ? null : readRecord(content, readLoginRequest);
}

export function loginRequestFields(request: LoginRequest): Field {
  return Buffer.concat([
    numberField(versionOf(request), 1),
    idField(request.shareId),
    numberField(request.expiresAt, MILLISECONDS_BYTES),
    numberField(request.selectAccount ? 1 : 0, 1),
    optionalHashField(request.bindingHash),
    textField(request.providerName, 1),
    textField(boundedReturnUrl(request.returnUrl), 2),
    ...furtherFields(request),
  ]);
}

export function readLoginRequest(reader: RecordReader): LoginRequest {
  const version = reader.number(1);
  if (!VERSIONS.has(version)) return reader.malformed();
  const request = {
    shareId: reader.id('shr'),
    expiresAt: reader.number(MILLISECONDS_BYTES),
    selectAccount: reader.flag(),
    bindingHash: reader.optionalHash(),
    providerName: reader.text(1),
    returnUrl: reader.text(2),
  };
  if (version !== VERSION_WITH_STRENGTH)
    return { ...request, addressKey: version === VERSION_WITH_KEY ? reader.hash() : null };
  return { ...request, addressKey: reader.optionalHash(), strength: readStrength(reader) };
}

function versionOf({ addressKey, strength = ANY_STRENGTH }: LoginRequest): number {
  if (!isAnyStrength(strength)) return VERSION_WITH_STRENGTH;
  return addressKey === null ? VERSION : VERSION_WITH_KEY;
}

function furtherFields(request: LoginRequest): readonly Field[] {
  const { addressKey, strength = ANY_STRENGTH } = request;
  if (versionOf(request) === VERSION_WITH_STRENGTH)
    return [optionalHashField(addressKey), strengthField(boundedStrength(strength))];
  return addressKey === null ? [] : [hashField(addressKey)];
}

const VERSION = 1;
/** Only where it is needed: the version before reads all others while gateways are replaced. */
const VERSION_WITH_KEY = 2;
/** As above. The version before refuses it, rather than ask for less. */
const VERSION_WITH_STRENGTH = 3;
const VERSIONS: ReadonlySet<number> = new Set([VERSION, VERSION_WITH_KEY, VERSION_WITH_STRENGTH]);
const MILLISECONDS_BYTES = 6;
