// Why a connection did not come about, for people: from the codes that the system and TLS give. Pure.

import { ProxyFault } from './proxy-fault.ts';

export type ConnectionFault = {
  readonly found: string;
  /** The next step where the reason tells it, else null. */
  readonly hint: string | null;
  /** For programs: what a proxy on the way did, as `proxy`; nothing where none did anything. */
  readonly extra: { readonly proxy?: Pick<ProxyFault, 'code' | 'status'> };
};

export function connectionFault(error: unknown): ConnectionFault {
  if (!(error instanceof Error)) return noHint('no answer');
  if (error instanceof ProxyFault) {
    const { message: found, hint, code, status } = error;
    return { found, hint, extra: { proxy: { code, status } } };
  }
  if (error.name === 'TimeoutError') return noHint('no answer in time');
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (UNTRUSTED.has(code))
    return { found: 'its certificate is not trusted on this machine', hint: TRUST_HINT, extra: {} };
  return noHint(REASONS[code] ?? (code === '' ? error.message : code));
}

function noHint(found: string): ConnectionFault {
  return { found, hint: null, extra: {} };
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
const TRUST_HINT =
  'If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS=/path/to/ca.pem to its certificate (PEM).';
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be resolved at the moment',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'no answer in time',
  EHOSTUNREACH: 'there is no route to that host',
  ENETUNREACH: 'there is no route to that network',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
