// What issuing needs, from what the control API has: addresses of this service, and its store.

import type { AccountId } from '../domain/id.ts';
import type { RedeemDeps } from '../pki/redeem.ts';
import type { ControlDeps } from './control-deps.ts';

export function pkiDeps({ store, now, settings }: ControlDeps): RedeemDeps {
  return {
    store,
    now,
    mostCertificates: () => settings().limits.certificates,
    crlUrl: (ca) => new URL(`/pki/${ca.accountId}/${ca.id}.crl`, settings().console.publicUrl).href,
  };
}

/** All authorities that the account trusts, and the list of the one that issues. */
export function pkiUrls({ settings }: ControlDeps, accountId: AccountId) {
  const at = (file: string) => new URL(`/pki/${accountId}/${file}`, settings().console.publicUrl).href;
  return { bundleUrl: at('ca.pem'), crlUrl: at('crl.der') };
}
