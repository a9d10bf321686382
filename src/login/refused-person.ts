// Whom a sealed statement says that a share refused, and what a page may tell them of it: who answers for the
// share is told to the account's own people alone.

import type { ShareId } from '../domain/id.ts';
import { isOwnPerson } from '../domain/own-person.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Share } from '../domain/share.ts';
import type { PageContent } from '../http/page-html.ts';
import type { Provider } from '../providers/provider.ts';
import { type AccessStatement, openAccessStatement } from './access-statement.ts';
import { identityDetails } from './answers.ts';
import type { LoginDeps } from './login-deps.ts';
import { shareForLogin } from './share-for-login.ts';

export type RefusedPerson = { readonly statement: AccessStatement; readonly share: Share };

/**
 * Of this provider as it is. Throws `request_invalid`, `request_expired`; as `shareForLogin()`. `act`:
 * `request access`.
 */
export function refusedPerson(
  deps: LoginDeps,
  provider: Provider,
  { sealed, act }: { readonly sealed: string; readonly act: string },
): RefusedPerson {
  const statement = openAccessStatement(deps.seal, sealed);
  if (statement === null || statement.providerName !== provider.name)
    throw new ServiceError('request_invalid', `Cannot ${act}: this link was not made here`);
  if (deps.now() >= statement.expiresAt || statement.providerGeneration !== provider.generation)
    throw new ServiceError('request_expired', `Cannot ${act}: this link was made too long ago`);
  return { statement, share: shareForLogin(deps, provider, statement.shareId).share };
}

export type RefusalFacts = Pick<PageContent, 'details'> & { readonly owner: string | null };

/** `owner` is among the details; null for nobody, and for whoever is not to know. */
export async function refusalFacts(
  deps: LoginDeps,
  provider: Provider,
  { statement, share }: RefusedPerson,
): Promise<RefusalFacts> {
  const { email, providerName } = statement;
  const owner = isOwnPerson(provider, email, share.accountId) ? await knownOwner(deps, share.id) : null;
  const details = [
    ...identityDetails(deps, { email, provider: providerName }),
    { label: 'Share', value: share.name },
    ...(owner === null ? [] : [{ label: 'Owner', value: owner }]),
  ];
  return { details, owner };
}

/** The page is there without it: a store that is away keeps nobody from reading it. */
async function knownOwner(deps: LoginDeps, share: ShareId): Promise<string | null> {
  try {
    return await deps.ownerOf(share);
  } catch (error) {
    deps.log.warn({ err: error }, 'Cannot read the owner of a share');
    return null;
  }
}
