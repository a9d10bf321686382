// The files of an account's authorities that anybody may fetch (DESIGN 2.5): whom to trust, and what is
// revoked.
//
//   /pki/<account>/ca.pem     every authority that is trusted, the one that issues first
//   /pki/<account>/crl.der    the revocation list of the one that issues; crl.pem: of each that is trusted
//   /pki/<account>/<ca>.crl   the list of one of them, as its certificates say

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { hasTag } from '../../http/if-none-match.ts';
import { authoritiesOf } from '../../pki/authority.ts';
import type { RevocationList } from '../../pki/revocation-list.ts';
import type { AccountCa } from '../../store/certificates/certificate.ts';
import { pem } from '../../x509/pem.ts';
import type { ControlApi, ControlDeps } from '../control-deps.ts';

export type ListOf = (ca: AccountCa) => Promise<RevocationList>;

export function addPkiFiles(api: ControlApi, deps: ControlDeps, listOf: ListOf): void {
  api.get('/pki/:account/:file', async (c) => {
    const { account, file } = c.req.param();
    const cas = await trusted(deps, account as AccountId);
    const found = await fileOf(cas, file, listOf);
    if (found === null) throw notThere(c.req.path);
    return answer(found, c.req.header('if-none-match'));
  });
}

/** `version`: another for each content, which is made only for whoever has not got it. */
type PkiFile = { readonly body: () => Uint8Array; readonly type: string; readonly version: string };

async function fileOf(cas: readonly AccountCa[], file: string, listOf: ListOf): Promise<PkiFile | null> {
  const one = file === 'crl.der' ? cas[0] : cas.find(({ id }) => file === `${id}.crl`);
  if (one !== undefined) {
    const list = await listOf(one);
    return { body: () => list.der, type: 'application/pkix-crl', version: `${one.id}.${list.number}` };
  }
  if (file === 'ca.pem')
    return {
      body: () => Buffer.from(cas.map(({ certificate }) => pem('CERTIFICATE', certificate)).join('')),
      type: PEM_TYPE,
      version: cas.map(({ id }) => id).join('.'),
    };
  if (file !== 'crl.pem') return null;
  const lists = await Promise.all(cas.map(listOf));
  return {
    body: () => Buffer.from(lists.map(pemOf).join('')),
    type: PEM_TYPE,
    version: cas.map(({ id }, index) => `${id}.${lists[index]?.number}`).join('.'),
  };
}

async function trusted(deps: ControlDeps, accountId: AccountId): Promise<readonly AccountCa[]> {
  const account = await deps.store.accounts.find(accountId);
  if (account === null || account.suspended) throw notThere(`/pki/${accountId.slice(0, 40)}`);
  return authoritiesOf(deps, accountId);
}

/**
 * 304 to whoever has it (RFC 9110 section 13.1.2): the list of thousands is fetched every minute, and seldom
 * changes.
 */
function answer({ body, type, version }: PkiFile, known: string | undefined): Response {
  const etag = `"${version}"`;
  const headers = { 'content-type': type, 'cache-control': `public, max-age=${MAX_AGE_SECONDS}`, etag };
  if (known !== undefined && hasTag([known], etag)) return new Response(null, { status: 304, headers });
  // Copied by whoever sends it, and by nobody before: it may have megabytes.
  return new Response(body() as Uint8Array<ArrayBuffer>, { headers: { ...headers, ...SAFE } });
}

/** Once for each list, which is the same object until it is another. */
function pemOf(list: RevocationList): string {
  const known = PEMS.get(list);
  if (known !== undefined) return known;
  const text = pem('X509 CRL', list.der);
  PEMS.set(list, text);
  return text;
}

function notThere(path: string): ServiceError {
  return new ServiceError('not_found', `Cannot find ${path}: there is no such file`);
}

const PEMS = new WeakMap<RevocationList, string>();
const SAFE = { 'x-content-type-options': 'nosniff' };
const PEM_TYPE = 'application/x-pem-file';
/** A revocation is to be known soon; the gates of this service know it at once. */
const MAX_AGE_SECONDS = 60;
