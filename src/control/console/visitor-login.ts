// Somebody logged in at the control plane who is a member of no account. If anything here is their own (a
// session at a share, a certificate that says their address) they get a session for that alone; whoever has
// nothing here gets none, unless they are an operator.

import { type Secret, secretHash } from '../../domain/secret.ts';
import type { Person } from '../../domain/member-match.ts';
import type { ControlDeps } from '../control-deps.ts';
import { aboutVisitor, recordedLogin } from './console-note.ts';
import type { ConsoleProvider } from './console-settings.ts';
import { operatesNow, vouches } from './owner-now.ts';
import type { ConsoleVisit } from './console-visit.ts';

export type Visitor = {
  readonly person: Person;
  readonly provider: ConsoleProvider;
  readonly token: Secret;
  /** As `NewVisitorSession`. */
  readonly replaces: string | null;
};

/** False, and nothing is done, when nothing here is theirs and they are no operator. */
export async function beginVisit(
  deps: ControlDeps,
  visit: ConsoleVisit,
  { person, provider, token, replaces }: Visitor,
): Promise<boolean> {
  const createdAt = deps.now();
  const owner = { person, within: provider.accountId };
  const vouched = vouches(provider, person);
  const known = { person: { ...person, emailVerified: vouched }, within: provider.accountId };
  const session = {
    ...owner,
    vouched,
    // They come for what they operate.
    mayHoldNothing: operatesNow(deps.settings().console, known),
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
