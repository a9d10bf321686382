// Somebody logged in at the control plane who is a member of no account. If anything here is their own (a
// session at a share, a certificate that says their address) they get a session for that alone; whoever has
// nothing here gets none.

import { type Secret, secretHash } from '../../domain/secret.ts';
import type { Person } from '../../domain/member-match.ts';
import type { ControlDeps } from '../control-deps.ts';
import { aboutVisitor, recordedLogin } from './console-note.ts';
import type { ConsoleProvider } from './console-settings.ts';
import { vouches } from './owner-now.ts';
import type { ConsoleVisit } from './console-visit.ts';

export type Visitor = {
  readonly person: Person;
  readonly provider: ConsoleProvider;
  readonly token: Secret;
  /** As `NewVisitorSession`. */
  readonly replaces: string | null;
};

/** False, and nothing is done, when nothing here is theirs. */
export async function beginVisit(
  deps: ControlDeps,
  visit: ConsoleVisit,
  { person, provider, token, replaces }: Visitor,
): Promise<boolean> {
  const createdAt = deps.now();
  const owner = { person, within: provider.accountId };
  const session = {
    ...owner,
    vouched: vouches(provider, person),
    hash: secretHash(token),
    createdAt,
    expiresAt: createdAt + VISIT_LIFETIME_MS,
    ip: visit.address,
    replaces,
  };
  return recordedLogin(
    deps,
    visit,
    () => deps.store.consoleSessions.beginVisit(session),
    (begun) => (begun ? [{ ...aboutVisitor(owner), kind: 'console.login' }] : []),
  );
}

/** Time to look and to tidy up, on a device that may be somebody else's, too. */
export const VISIT_LIFETIME_MS = 60 * 60 * 1000;
