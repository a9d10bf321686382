// What issuing needs, from what the control API has: addresses of this service, and its store.

import type { AccountId } from '../../domain/id.ts';
import type { RedeemDeps } from '../../pki/redeem.ts';
import { parseActor } from '../../domain/actor.ts';
import type { ControlDeps } from '../control-deps.ts';
import { isMakerLoggedIn, rightsDeps } from './holder.ts';

export function pkiDeps(deps: ControlDeps): RedeemDeps {
  const { store, now, settings } = deps;
  return {
    store,
    now,
    isMakerLoggedIn: ({ accountId, createdBy }) =>
      isMakerLoggedIn(rightsDeps(deps), accountId, parseActor(createdBy)),
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
