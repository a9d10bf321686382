// Certificate signing requests as no tool makes them: any bytes in any place, and signed all the same, so
// that nothing but what is wrong with them can be the reason for a refusal.

import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import {
  bitString,
  contextTag,
  objectIdentifier,
  sequence,
  TAG,
  text,
  unsignedInteger,
  write,
} from '../../src/x509/der.ts';
import { OID } from '../../src/x509/oid.ts';

export type Craft = {
  readonly key?: KeyObject;
  readonly version?: Uint8Array;
  /** The whole value; a name of nobody unless said. */
  readonly subject?: Uint8Array;
  readonly spki?: Uint8Array;
  readonly attributes?: Uint8Array;
  /** After the attributes, and after the signature. */
  readonly moreInfo?: Uint8Array;
  readonly more?: Uint8Array;
  readonly algorithm?: Uint8Array;
  readonly signatureOf?: (bytes: Uint8Array) => Uint8Array;
  readonly unusedBits?: number;
};

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** SubjectPublicKeyInfo of the P-256 key that signs unless another is given. */
export const OWN_SPKI: Uint8Array = own.publicKey.export({ format: 'der', type: 'spki' });

/** DER. */
export function craftedRequest(craft: Craft = {}): Buffer {
  const { key = own.privateKey, more = NOTHING, moreInfo = NOTHING, spki = OWN_SPKI } = craft;
  const info = sequence(
    craft.version ?? unsignedInteger(Uint8Array.of(0)),
    craft.subject ?? nameOf('nobody'),
    spki,
    craft.attributes ?? write(contextTag(0, true)),
    moreInfo,
  );
  const signature = craft.signatureOf?.(info) ?? sign('sha256', info, key);
  const algorithm = craft.algorithm ?? sequence(OID.ecdsaWithSha256);
  return Buffer.from(sequence(info, algorithm, bitString(signature, craft.unusedBits ?? 0), more));
}

export function nameOf(commonName: string): Uint8Array {
  return sequence(write(TAG.set, sequence(OID.commonName, text(TAG.utf8String, commonName))));
}

/** The attributes with one request for extensions (RFC 2985 section 5.4.2), whose content is `extensions`. */
export function extensionsAsked(...extensions: readonly Uint8Array[]): Uint8Array {
  const asked = write(TAG.set, sequence(...extensions));
  return write(contextTag(0, true), sequence(objectIdentifier('1.2.840.113549.1.9.14'), asked));
}

/** Sequences in sequences. */
export function nested(depth: number): Uint8Array {
  let whole: Uint8Array = new Uint8Array();
  for (let level = 0; level < depth; level++) whole = sequence(whole);
  return whole;
}

const NOTHING = new Uint8Array();
