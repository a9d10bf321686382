// What a worker knows of very many sessions, in flat memory: some fifty bytes each and their texts, nothing
// of which the garbage collector looks at. What many have alike (their groups and claims) is held once. It is
// cut into pieces that grow one at a time, so that no request waits for all of it to move.

import { mixed } from '../domain/mixed.ts';
import { randomBytes } from '../domain/secret.ts';
import type { SessionId } from '../domain/id.ts';
import type { SessionState } from '../domain/session.ts';
import { createFactGroups } from './fact-groups.ts';
import { createSessionPiece, type SessionPiece } from './session-piece.ts';
import { ID_WORDS, packId } from './session-key.ts';

export type SessionTable = {
  readonly get: (id: SessionId) => SessionState | undefined;
  /** False when it is not kept: it then is not there, whatever was before. */
  readonly set: (state: SessionState) => boolean;
  readonly clear: () => void;
  readonly size: () => number;
};

export type SessionTableLimits = {
  /** Sessions that are not over; what ended is always kept. */
  readonly sessions: number;
  /** Characters of groups and claims. */
  readonly characters: number;
};

/** `hour` answers the time, in hours since whenever. */
export function createSessionTable(
  limits: SessionTableLimits = LIMITS,
  hour: () => number = hoursOfProcess,
): SessionTable {
  const groups = createFactGroups(limits.characters);
  const newPieces = () => Array.from({ length: PIECES }, () => createSessionPiece(groups, hour));
  const seeds = keySeeds();
  const words = new Uint32Array(ID_WORDS);
  let pieces: readonly SessionPiece[] = newPieces();
  let size = 0;
  /** Where the id of `words` belongs. */
  const placeOf = (): number => {
    let hash = seeds[ID_WORDS]!;
    for (let at = 0; at < ID_WORDS; at++) hash = mixed(hash ^ Math.imul(words[at]! ^ seeds[at]!, 0x9e3779b1));
    return hash;
  };
  return {
    get: (id) => {
      if (!packId(id, words)) return undefined;
      const hash = placeOf();
      return pieces[hash & PIECE_MASK]!.get(id, words, hash >>> PIECE_BITS);
    },
    set: (state) => {
      if (!packId(state.id, words)) return false;
      const hash = placeOf();
      const piece = pieces[hash & PIECE_MASK]!;
      const before = piece.size();
      const isRoom = state.ended || size < limits.sessions;
      const kept = piece.set(state, words, { hash: hash >>> PIECE_BITS, isRoom });
      size += piece.size() - before;
      return kept;
    },
    clear: () => {
      pieces = newPieces();
      groups.clear();
      size = 0;
    },
    size: () => size,
  };
}

/** Ids are made here, and nobody chooses them; even so nobody can know which share a place. */
function keySeeds(): Uint32Array {
  const bytes = randomBytes((ID_WORDS + 1) * 4);
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

function hoursOfProcess(): number {
  return Math.floor(performance.now() / 3_600_000);
}

const PIECE_BITS = 6;
const PIECES = 1 << PIECE_BITS;
const PIECE_MASK = PIECES - 1;
/** Two hundred and some megabytes; one that is not kept is asked for. */
const LIMITS: SessionTableLimits = { sessions: 2_000_000, characters: 30_000_000 };
