// An authority as the API shows it, with the revocation list that it publishes now.

import type { AuthorityObject } from '../../wire/certificate.ts';
import type { AccountCa } from '../../store/certificates/certificate.ts';
import { authorityObject, revocationListObject } from './view.ts';
import type { ControlDeps } from '../control-deps.ts';
import { pkiDeps } from './pki-deps.ts';
import type { ListOf } from './pki-files.ts';

export type AuthorityViewDeps = ControlDeps & { readonly listOf: ListOf };

export async function shownAuthority(deps: AuthorityViewDeps, ca: AccountCa): Promise<AuthorityObject> {
  const list = await deps.listOf(ca);
  return authorityObject(ca, revocationListObject(list, pkiDeps(deps).crlUrl(ca)));
}
