// What a new session takes the place of (DESIGN "One browser, many logins"): at once where nothing confirms
// it, else when its browser has. A login that was only led to the callback ends nothing.

import type { SessionId } from '../../domain/id.ts';
import type { Writing } from '../records.ts';
import { endSessions } from './end.ts';
import type { SessionsTable } from './tables.ts';

export type Replacing = {
  readonly session: Pick<
    SessionsTable,
    'id' | 'share_id' | 'browser_hash' | 'provider_generation' | 'subject'
  >;
  /** When its login set out, in milliseconds since the epoch. */
  readonly setOutAt: number;
  readonly at: number;
};

/** Those of the same browser and share, but for what was begun side by side. */
export async function endReplaced(writing: Writing, replacing: Replacing): Promise<readonly SessionId[]> {
  const { session } = replacing;
  const living = await writing.db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'provider_generation', 'subject'])
    .where('browser_hash', '=', session.browser_hash)
    .where('share_id', '=', session.share_id)
    .where('id', '!=', session.id)
    .where('ended_at', 'is', null)
    .execute();
  const ids = living.filter((row) => !isBeside(row, replacing)).map(({ id }) => id);
  return end(writing, ids, replacing);
}

/** Those of the same share among the named: a cookie had them, whichever browser they were made in. */
export async function endNamed(
  writing: Writing,
  named: readonly SessionId[],
  replacing: Replacing & { readonly butOfBrowser: string | null },
): Promise<readonly SessionId[]> {
  if (named.length === 0) return [];
  const { session, butOfBrowser } = replacing;
  const ofShare = await writing.db
    .selectFrom('sessions')
    .select(['id', 'browser_hash'])
    .where('id', 'in', named)
    .where('id', '!=', session.id)
    .where('share_id', '=', session.share_id)
    .execute();
  const ids = ofShare.filter((row) => row.browser_hash !== butOfBrowser).map(({ id }) => id);
  return end(writing, ids, replacing);
}

function end(writing: Writing, values: readonly string[], { at }: Replacing): Promise<readonly SessionId[]> {
  return endSessions(writing, { column: 'id', values }, { reason: 'replaced', at, owesTokens: true });
}

/**
 * The same person's, of a tab that logged in side by side: ended, it would send that tab to log in once more.
 */
function isBeside(
  row: Pick<SessionsTable, 'created_at' | 'provider_generation' | 'subject'>,
  { session, setOutAt }: Replacing,
): boolean {
  const isSamePerson =
    row.subject === session.subject && row.provider_generation === session.provider_generation;
  return isSamePerson && row.created_at > setOutAt;
}
