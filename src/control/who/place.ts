// Where a page of people ended. It holds an address at times, which no other cursor does.

import { unknownCursor } from '../cursor.ts';

/** Those who have sessions come first, then those known by less, then certificates. */
export type Stage = 'sessions' | 'others' | 'certificates';
/** `after`: the last one of the stage; null before the first. */
export type Place = { readonly stage: Stage; readonly after: string | null };

export const FIRST_PLACE: Place = { stage: 'sessions', after: null };

export function placeText({ stage, after }: Place): string {
  return Buffer.from(JSON.stringify([stage, after])).toString('base64url');
}

/** Throws `validation_failed`. */
export function readPlace(cursor: string | undefined): Place {
  if (cursor === undefined) return FIRST_PLACE;
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [name, after] = Array.isArray(read) ? (read as readonly unknown[]) : [];
    const stage = STAGES.find((each) => each === name);
    if (stage !== undefined && (after === null || typeof after === 'string')) return { stage, after };
  } catch {
    // Said below.
  }
  throw unknownCursor();
}

const STAGES: readonly Stage[] = ['sessions', 'others', 'certificates'];
