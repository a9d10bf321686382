// Reads a certificate revocation list (RFC 5280 section 5), which Node cannot, as far as a callee needs it:
// whether a certificate authority signed it, until when it is valid, and which serial numbers are on it.

import { verify } from 'node:crypto';

/**
 * Throws for whatever is no list that `authority` signed with ECDSA and SHA-384, as Doorward's do.
 *
 * @param {Buffer} der
 * @param {import('node:crypto').X509Certificate} authority
 * @returns {{ nextUpdate: number, serials: ReadonlySet<string> }} serials as `X509Certificate.serialNumber` writes them
 */
export function readRevocationList(der, authority) {
  const list = valuesIn(oneValue(der, SEQUENCE).content);
  const [body, algorithm, signature] = list;
  if (list.length !== 3 || body.tag !== SEQUENCE) throw new Error('it is no revocation list');
  if (!algorithm.whole.equals(ECDSA_WITH_SHA384)) throw new Error('it is not signed with ECDSA and SHA-384');
  if (!verify('sha384', body.whole, authority.publicKey, signature.content.subarray(1)))
    throw new Error('its authority did not sign it');
  const [, , , , nextUpdate, revoked] = valuesIn(body.content);
  const entries = revoked?.tag === SEQUENCE ? valuesIn(revoked.content) : [];
  const serials = entries.map(({ content }) => serialText(valuesIn(content)[0].content));
  return { nextUpdate: timeOf(nextUpdate), serials: new Set(serials) };
}

/** DER without its sign byte, in upper-case hex. */
function serialText(content) {
  return content
    .subarray(content[0] === 0 ? 1 : 0)
    .toString('hex')
    .toUpperCase();
}

/** UTCTime or GeneralizedTime, in whole seconds of UTC, as RFC 5280 section 5.1.2.5 wants them. */
function timeOf({ tag, content }) {
  const text = content.toString('latin1');
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) throw new Error('it does not say until when it is good');
  const digits = tag === UTC_TIME ? `20${text}` : text;
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits) ?? [];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function oneValue(bytes, tag) {
  const [value, ...more] = valuesIn(bytes);
  if (value?.tag !== tag || more.length > 0) throw new Error('it is no revocation list');
  return value;
}

/** The values that these bytes are, one after another. */
function valuesIn(bytes) {
  const values = [];
  for (let at = 0; at < bytes.length;) {
    let begin = at + 2;
    let length = bytes[at + 1];
    if (length > 0x80 && length <= 0x84) {
      begin += length & 0x7f;
      length = bytes.readUIntBE(at + 2, length & 0x7f);
    }
    if (length === undefined || begin + length > bytes.length) throw new Error('it is cut off');
    values.push({
      tag: bytes[at],
      content: bytes.subarray(begin, begin + length),
      whole: bytes.subarray(at, begin + length),
    });
    at = begin + length;
  }
  return values;
}

const SEQUENCE = 0x30;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const ECDSA_WITH_SHA384 = Buffer.from('300a06082a8648ce3d040303', 'hex');
