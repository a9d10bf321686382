// A certificate authority for public servers as the stand-in ACME server has one: reads a request strictly,
// and signs leaves for what it asks for.

import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { authorityCertificate, authorityKey, extension } from '../../src/x509/certificate.ts';
import {
  bitString,
  bitStringOctets,
  contextTag,
  DerReader,
  readWhole,
  sequence,
  TAG,
  time,
  unsignedInteger,
  write,
} from '../../src/x509/der.ts';
import { encodeName } from '../../src/x509/name.ts';
import { OID } from '../../src/x509/oid.ts';
import { pem } from '../../src/x509/pem.ts';
import { dnsNames } from '../../src/x509/server-request.ts';

export type Validity = { readonly notBefore: number; readonly notAfter: number };

export type AcmeIssuer = {
  /** PEM: whom a visitor has to trust. */
  readonly ca: string;
  /** The chain, PEM. Throws for a request that is none, or that asks for other names. */
  readonly issue: (csr: Buffer, name: string, validity: Validity) => string;
};

export function createAcmeIssuer(): AcmeIssuer {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const subject = { commonName: 'Stand-in ACME', organization: null, organizationalUnit: null };
  const signed = (bytes: Uint8Array) => sign('sha384', bytes, { key: privateKey, dsaEncoding: 'der' });
  const now = Date.now();
  const ca = pem(
    'CERTIFICATE',
    authorityCertificate(
      { serial: Uint8Array.of(1), subject, spki, notBefore: now - DAY_MS, notAfter: now + 3_650 * DAY_MS },
      signed,
    ),
  );
  return {
    ca,
    issue: (csr, name, { notBefore, notAfter }) => {
      const request = readRequest(csr);
      if (request.names.join() !== name) throw new Error(`it asks for ${request.names.join()}, not ${name}`);
      const algorithm = sequence(OID.ecdsaWithSha384);
      const body = sequence(
        write(contextTag(0, true), unsignedInteger(Uint8Array.of(2))),
        unsignedInteger(randomBytes(16)),
        algorithm,
        encodeName(subject),
        sequence(time(notBefore), time(notAfter)),
        sequence(),
        request.spki,
        write(
          contextTag(3, true),
          sequence(
            authorityKey(spki),
            extension(OID.extendedKeyUsage, sequence(SERVER_AUTH)),
            extension(OID.subjectAlternativeName, dnsNames([name])),
          ),
        ),
      );
      return pem('CERTIFICATE', sequence(body, algorithm, bitString(signed(body)))) + ca;
    },
  };
}

/** RFC 2986, and nothing in it but names. */
function readRequest(csr: Buffer): { readonly spki: Uint8Array; readonly names: readonly string[] } {
  const whole = new DerReader(readWhole(csr, TAG.sequence, 'request').content);
  const info = whole.expect(TAG.sequence, 'information');
  whole.expect(TAG.sequence, 'algorithm');
  const signature = bitStringOctets(whole.expect(TAG.bitString, 'signature'), 'signature');
  whole.end('the request');
  const parts = new DerReader(info.content);
  parts.expect(TAG.integer, 'version');
  if (parts.expect(TAG.sequence, 'subject').content.length > 0) throw new Error('it has a subject');
  const { whole: spki } = parts.expect(TAG.sequence, 'key');
  const attributes = new DerReader(parts.expect(0xa0, 'attributes').content);
  parts.end('the information');
  const key = createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  if (!verify('sha256', info.whole, { key, dsaEncoding: 'der' }, signature))
    throw new Error('its signature is wrong');
  const attribute = new DerReader(attributes.expect(TAG.sequence, 'attribute').content);
  attribute.expect(TAG.oid, 'extension request');
  const values = new DerReader(attribute.expect(TAG.set, 'values').content);
  const extensions = new DerReader(values.expect(TAG.sequence, 'extensions').content);
  const asked = new DerReader(extensions.expect(TAG.sequence, 'extension').content);
  extensions.end('the extensions');
  asked.expect(TAG.oid, 'subject alternative name');
  const list = new DerReader(readWhole(asked.next().content, TAG.sequence, 'names').content);
  const names: string[] = [];
  while (!list.atEnd) names.push(Buffer.from(list.expect(0x82, 'DNS name').content).toString('latin1'));
  return { spki, names };
}

const SERVER_AUTH = Uint8Array.of(6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 1);
const DAY_MS = 86_400_000;
