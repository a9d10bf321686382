// The files of an account's authorities that anybody may fetch (DESIGN 2.5): whom to trust, and what is revoked.
//
//   /pki/<account>/ca.pem     every authority that is trusted, the one that issues first
//   /pki/<account>/crl.der    the revocation list of the one that issues; crl.pem: of each that is trusted
//   /pki/<account>/<ca>.crl   the list of one of them, as its certificates say

import type { AccountId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import { authoritiesOf } from '../pki/authority.ts';
import { createRevocationLists } from '../pki/revocation-list.ts';
import type { AccountCa } from '../store/certificate.ts';
import { pem } from '../x509/pem.ts';
import type { ControlApi } from './api.ts';
import type { ControlDeps } from './control-deps.ts';

export function addPkiFiles(api: ControlApi, deps: ControlDeps): void {
  const listOf = createRevocationLists(deps);
  api.get('/pki/:account/:file', async (c) => {
    const { account, file } = c.req.param();
    const cas = await trusted(deps, account as AccountId);
    const [issuing] = cas;
    const one = cas.find(({ id }) => file === `${id}.crl`) ?? (file === 'crl.der' ? issuing : undefined);
    if (one !== undefined) return answer((await listOf(one)).der, 'application/pkix-crl');
    if (file === 'ca.pem')
      return answer(
        pemOf(cas, ({ certificate }) => pem('CERTIFICATE', certificate)),
        PEM_TYPE,
      );
    if (file !== 'crl.pem') throw notThere(c.req.path);
    const lists = await Promise.all(cas.map(listOf));
    return answer(
      pemOf(lists, ({ der }) => pem('X509 CRL', der)),
      PEM_TYPE,
    );
  });
}

async function trusted(deps: ControlDeps, accountId: AccountId): Promise<readonly AccountCa[]> {
  const account = await deps.store.accounts.find(accountId);
  if (account === null || account.suspended) throw notThere(`/pki/${accountId.slice(0, 40)}`);
  return authoritiesOf(deps, accountId);
}

function pemOf<Thing>(things: readonly Thing[], textOf: (thing: Thing) => string): Uint8Array {
  return Buffer.from(things.map(textOf).join(''));
}

function answer(body: Uint8Array, type: string): Response {
  const headers = { 'content-type': type, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` };
  return new Response(Uint8Array.from(body), { headers });
}

function notThere(path: string): ServiceError {
  return new ServiceError('not_found', `Cannot find ${path}: there is no such file`);
}

const PEM_TYPE = 'application/x-pem-file';
/** A revocation is to be known soon; the gates of this service know it at once. */
const MAX_AGE_SECONDS = 60;
