// Groups that cannot be told are none that are known, and whoever logs in is told why; what may pass is an
// error of the whole login or check.

import type { Identity } from '../domain/identity.ts';
import { asServiceError, type FaultCode } from '../domain/service-error.ts';
import type { SessionFacts } from '../domain/session-facts.ts';

/** Throws what `groups` throws, but `too_many_groups` and `groups_unreadable`. */
export async function withGroups(
  facts: SessionFacts,
  groups: () => Promise<SessionFacts['groups']>,
): Promise<Required<Pick<Identity, 'facts'>> & Pick<Identity, 'groupsFault'>> {
  try {
    return { facts: { ...facts, groups: await groups() } };
  } catch (error) {
    const groupsFault = asServiceError(error);
    if (!OF_GROUPS.has(groupsFault.code)) throw error;
    return { facts: { ...facts, groups: null }, groupsFault };
  }
}

/** What is wrong with the groups alone, and stays so until somebody mends it. */
const OF_GROUPS: ReadonlySet<FaultCode> = new Set(['too_many_groups', 'groups_unreadable']);
