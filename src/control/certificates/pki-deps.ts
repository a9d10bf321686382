// What issuing needs, from what the control API has: addresses of this service, and its store.

import type { AccountId } from '../../domain/id.ts';
import type { RedeemDeps } from '../../pki/redeem.ts';
import type { ControlDeps } from '../control-deps.ts';

export function pkiDeps({ store, now, settings }: ControlDeps): RedeemDeps {
  return {
    store,
    now,
    mostCertificates: () => settings().limits.certificates,
    crlUrl: (ca) => new URL(`/pki/${ca.accountId}/${ca.id}.crl`, settings().pkiUrl).href,
  };
}

/**
 * All authorities that the account trusts, and the list of the one that issues: that is signed, and may come
 * without TLS.
 */
export function pkiUrls({ settings }: ControlDeps, accountId: AccountId) {
  const at = (file: string, base: URL) => new URL(`/pki/${accountId}/${file}`, base).href;
  const { console, pkiUrl } = settings();
  return { bundleUrl: at('ca.pem', console.publicUrl), crlUrl: at('crl.der', pkiUrl) };
}
