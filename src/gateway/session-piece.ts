// A piece of the session table: open addressing with linear probing, in typed arrays. A record is its id,
// flags, where its texts are, and two times; texts are appended, and gathered when the piece moves.

import type { SessionId } from '../domain/id.ts';
import type { SessionState } from '../domain/session.ts';
import type { FactGroups } from './fact-groups.ts';
import { ID_WORDS } from './session-key.ts';

export type SessionPiece = {
  readonly get: (id: SessionId, words: Uint32Array, hash: number) => SessionState | undefined;
  /** False when it is not kept, and not there any more. */
  readonly set: (
    state: SessionState,
    words: Uint32Array,
    place: { readonly hash: number; /** For one more. */ readonly isRoom: boolean },
  ) => boolean;
  readonly size: () => number;
};

export function createSessionPiece(groups: FactGroups, hour: () => number): SessionPiece {
  let records = new Uint32Array(0);
  let times = new Float64Array(0);
  let texts = Buffer.alloc(0);
  let capacity = 0;
  let size = 0;
  let textEnd = 0;

  /** The record of the id, or the free one where it belongs. */
  const slotOf = (words: Uint32Array, hash: number): number => {
    let slot = hash & (capacity - 1);
    while (records[slot * STRIDE + FLAGS] !== 0 && !isAt(records, slot * STRIDE, words))
      slot = (slot + 1) & (capacity - 1);
    return slot;
  };
  const stateAt = (id: SessionId, slot: number): SessionState => {
    const at = slot * STRIDE;
    const flags = records[at + FLAGS]!;
    const start = records[at + TEXT]!;
    const middle = start + records[at + SUBJECT_BYTES]!;
    const authTime = times[slot * 2 + 1]!;
    const common = {
      id,
      subject: texts.toString('utf8', start, middle),
      checkedAt: times[slot * 2]!,
      refreshable: (flags & REFRESHABLE) !== 0,
      confirmed: (flags & CONFIRMED) !== 0,
      ended: (flags & ENDED) !== 0,
      ...((flags & VERIFIED_KNOWN) === 0 ? null : { emailVerified: (flags & VERIFIED) !== 0 }),
    };
    if ((flags & FACTS) === 0) return common;
    const name =
      (flags & NAMED) === 0 ? null : texts.toString('utf8', middle, middle + records[at + NAME_BYTES]!);
    const facts = {
      ...groups.at(records[at + GROUP]!),
      authTime: Number.isNaN(authTime) ? null : authTime,
      name,
    };
    return { ...common, facts };
  };
  const release = (slot: number) => {
    const at = slot * STRIDE;
    if ((records[at + FLAGS]! & FACTS) !== 0) groups.release(records[at + GROUP]!);
  };
  /** Closes the gap that a removed record leaves (Knuth, 6.4 R), by the places that the others belong to. */
  const remove = (slot: number) => {
    release(slot);
    size--;
    let gap = slot;
    for (let next = (gap + 1) & (capacity - 1); ; next = (next + 1) & (capacity - 1)) {
      const at = next * STRIDE;
      if (records[at + FLAGS] === 0) break;
      const home = records[at + HASH]! & (capacity - 1);
      if (((next - home) & (capacity - 1)) < ((next - gap) & (capacity - 1))) continue;
      records.copyWithin(gap * STRIDE, at, at + STRIDE);
      times.copyWithin(gap * 2, next * 2, next * 2 + 2);
      gap = next;
    }
    records[gap * STRIDE + FLAGS] = 0;
  };
  /** Into new arrays, without what nobody asked for in a day; and with twice the room, if it is needed. */
  const move = (textRoom: number) => {
    const now = hour();
    const old = { records, times, texts, capacity };
    const isCurrent = (slot: number) =>
      old.records[slot * STRIDE + FLAGS] !== 0 &&
      now - old.records[slot * STRIDE + USED]! <= KEEP_UNUSED_HOURS;
    let [kept, textBytes] = [0, 0];
    for (let slot = 0; slot < old.capacity; slot++) {
      const at = slot * STRIDE;
      if (isCurrent(slot)) {
        kept++;
        textBytes += old.records[at + SUBJECT_BYTES]! + old.records[at + NAME_BYTES]!;
      } else if (old.records[at + FLAGS] !== 0) release(slot);
    }
    capacity = LEAST_CAPACITY;
    while ((kept + 1) * 2 > capacity) capacity *= 2;
    records = new Uint32Array(capacity * STRIDE);
    times = new Float64Array(capacity * 2);
    texts = Buffer.allocUnsafeSlow(Math.ceil((textBytes + textRoom) * TEXT_GROWTH) + LEAST_TEXT_ROOM);
    [size, textEnd] = [kept, 0];
    for (let slot = 0; slot < old.capacity; slot++) {
      if (!isCurrent(slot)) continue;
      const at = slot * STRIDE;
      let into = old.records[at + HASH]! & (capacity - 1);
      while (records[into * STRIDE + FLAGS] !== 0) into = (into + 1) & (capacity - 1);
      records.set(old.records.subarray(at, at + STRIDE), into * STRIDE);
      times.set(old.times.subarray(slot * 2, slot * 2 + 2), into * 2);
      const start = old.records[at + TEXT]!;
      const end = start + old.records[at + SUBJECT_BYTES]! + old.records[at + NAME_BYTES]!;
      records[into * STRIDE + TEXT] = textEnd;
      textEnd += old.texts.copy(texts, textEnd, start, end);
    }
  };
  return {
    size: () => size,
    get: (id, words, hash) => {
      if (capacity === 0) return undefined;
      const slot = slotOf(words, hash);
      if (records[slot * STRIDE + FLAGS] === 0) return undefined;
      records[slot * STRIDE + USED] = hour();
      return stateAt(id, slot);
    },
    set: (state, words, { hash, isRoom }) => {
      const { subject, facts } = state;
      const name = facts?.name ?? '';
      if (capacity > 0) {
        const former = slotOf(words, hash);
        if (records[former * STRIDE + FLAGS] !== 0) remove(former);
        else if (!isRoom) return false;
      } else if (!isRoom) return false;
      const group = facts === undefined ? 0 : groups.hold(facts);
      if (group === null) return false;
      const textRoom = (subject.length + name.length) * MOST_UTF8;
      if ((size + 1) * 4 > capacity * 3 || textEnd + textRoom > texts.length) move(textRoom);
      const slot = slotOf(words, hash);
      const at = slot * STRIDE;
      records.set(words, at);
      records[at + HASH] = hash;
      records[at + FLAGS] = flagsOf(state);
      records[at + USED] = hour();
      records[at + GROUP] = group;
      records[at + TEXT] = textEnd;
      const subjectBytes = texts.write(subject, textEnd);
      const nameBytes = texts.write(name, textEnd + subjectBytes);
      records[at + SUBJECT_BYTES] = subjectBytes;
      records[at + NAME_BYTES] = nameBytes;
      textEnd += subjectBytes + nameBytes;
      times[slot * 2] = state.checkedAt;
      times[slot * 2 + 1] = facts?.authTime ?? Number.NaN;
      size++;
      return true;
    },
  };
}

function isAt(records: Uint32Array, at: number, words: Uint32Array): boolean {
  for (let word = 0; word < ID_WORDS; word++) if (records[at + word] !== words[word]) return false;
  return true;
}

function flagsOf({ refreshable, confirmed, ended, emailVerified, facts }: SessionState): number {
  return (
    USED_UP |
    (refreshable ? REFRESHABLE : 0) |
    (confirmed ? CONFIRMED : 0) |
    (ended ? ENDED : 0) |
    (emailVerified === undefined ? 0 : VERIFIED_KNOWN) |
    (emailVerified === true ? VERIFIED : 0) |
    (facts === undefined ? 0 : FACTS) |
    (typeof facts?.name === 'string' ? NAMED : 0)
  );
}

/** Of one record, in numbers of 32 bits: the id first. */
const HASH = ID_WORDS;
const FLAGS = HASH + 1;
/** In which hour it was asked for last. */
const USED = FLAGS + 1;
const GROUP = USED + 1;
const TEXT = GROUP + 1;
const SUBJECT_BYTES = TEXT + 1;
const NAME_BYTES = SUBJECT_BYTES + 1;
const STRIDE = NAME_BYTES + 1;
/** There is a record. */
const USED_UP = 1;
const REFRESHABLE = 2;
const CONFIRMED = 4;
const ENDED = 8;
const VERIFIED_KNOWN = 16;
const VERIFIED = 32;
const FACTS = 64;
const NAMED = 128;
const LEAST_CAPACITY = 16;
/** Bytes of one character of a text at most. */
const MOST_UTF8 = 3;
const TEXT_GROWTH = 1.5;
const LEAST_TEXT_ROOM = 512;
/** Whoever comes back later is asked for again. */
const KEEP_UNUSED_HOURS = 24;
