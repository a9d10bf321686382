// Certificate request tokens for many people, a few at a time. A call that nobody answered may have made its
// token, whose link nobody has then: before such a row is tried again that token is deleted, so that nobody
// has two.

import { ServiceError } from '../domain/service-error.ts';
import type { MadeToken, NewTokenObject } from '../wire/certificate.ts';
import type { CertificateCalls } from './certificate-calls.ts';

export type TokenOutcome =
  | { readonly made: MadeToken; readonly error: null }
  | { readonly made: null; readonly error: unknown };

/**
 * The label of each token is of this list alone. `earlier`: what came of each before, by place; those that
 * were made are left alone.
 */
export type TokenRun = {
  readonly wanted: readonly NewTokenObject[];
  readonly earlier: readonly (TokenOutcome | null)[];
  readonly came: (place: number, outcome: TokenOutcome) => void;
};

/** A token's label in a list. The API takes 64 characters: of a long name it has the first. */
export function labelIn(list: string, commonName: string): string {
  const end = `, list ${list}`;
  const kept = [...commonName].slice(0, MOST_LABEL - end.length).join('');
  return `${kept.trimEnd()}${end}`;
}

type Calls = Pick<CertificateCalls, 'createToken' | 'listTokens' | 'removeToken'>;

/** Never rejects: what went wrong is told of each. */
export async function createTokens(calls: Calls, { wanted, earlier, came }: TokenRun): Promise<void> {
  const left = wanted
    .keys()
    .filter((place) => earlier[place]?.made === undefined || earlier[place]?.made === null);
  const ours = new Set(earlier.flatMap((outcome) => outcome?.made?.id ?? []));
  const worker = async (): Promise<void> => {
    for (const place of left) {
      const token = wanted[place];
      if (token === undefined) continue;
      try {
        if (isUnanswered(earlier[place]?.error)) await removeLost(calls, token, ours);
        const made = await calls.createToken(token);
        ours.add(made.id);
        came(place, { made, error: null });
      } catch (error) {
        came(place, { made: null, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function isUnanswered(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'control_unreachable';
}

/** Of the same person and label, which names the list, and made by none of these calls that was answered. */
async function removeLost(calls: Calls, token: NewTokenObject, ours: ReadonlySet<string>): Promise<void> {
  let cursor: string | null = null;
  do {
    const page = await calls.listTokens({ state: 'open', cursor, limit: PAGE });
    for (const each of page.items)
      if (
        !ours.has(each.id) &&
        each.name === token.name &&
        each.commonName === token.commonName &&
        each.emailAddress === token.emailAddress
      )
        await calls.removeToken(each.id);
    cursor = page.nextCursor;
  } while (cursor !== null);
}

/** Half of what an account may do at once, so that the rest of the page goes on. */
const AT_ONCE = 4;
const PAGE = 200;
const MOST_LABEL = 64;
