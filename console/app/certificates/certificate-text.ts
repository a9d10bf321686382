// What the pages say of a certificate, in words.

import type { CertificateObject, SubjectObject } from '../../../src/wire/certificate.ts';

/** `soon`: good still, and over within a week or the last tenth of its life, whichever is shorter. */
export type ShownState = 'active' | 'soon' | 'expired' | 'revoked';

export function shownState(
  { state, notBefore, notAfter }: Pick<CertificateObject, 'state' | 'notBefore' | 'notAfter'>,
  now: number,
): ShownState {
  if (state === 'revoked') return 'revoked';
  const leftMs = Date.parse(notAfter) - now;
  if (state === 'expired' || leftMs <= 0) return 'expired';
  const lifeMs = Date.parse(notAfter) - Date.parse(notBefore);
  return leftMs < Math.min(SOON_MS, lifeMs / 10) ? 'soon' : 'active';
}

export const STATE_WORDS: Readonly<Record<ShownState, string>> = {
  active: 'active',
  soon: 'expires soon',
  expired: 'expired',
  revoked: 'revoked',
};

/** As most programs print them: pairs of capitals with colons. */
export function inPairs(hex: string): string {
  return (
    hex
      .toUpperCase()
      .match(/.{1,2}/g)
      ?.join(':') ?? ''
  );
}

/** `CN=ann, OU=Sales, O=Corp`: what could be taken for a further name is escaped (RFC 4514). */
export function subjectText({ commonName, organizationalUnit, organization }: SubjectObject): string {
  return [
    ['CN', commonName],
    ['OU', organizationalUnit],
    ['O', organization],
  ]
    .flatMap(([name, value]) => (value === null ? [] : [`${name}=${escaped(value ?? '')}`]))
    .join(', ');
}

/** A name that every system takes for a file. */
export function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return plain.slice(0, MAX_FILE_NAME) || 'certificate';
}

function escaped(value: string): string {
  return value.replace(/[,+"\\<>;=]|^[ #]| $/g, '\\$&');
}

const SOON_MS = 7 * 86_400_000;
/** File systems stop at 255 bytes; people do long before. */
const MAX_FILE_NAME = 60;
