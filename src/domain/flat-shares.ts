// Very many shares in flat memory that threads share: nothing for the garbage collector to look at, and
// nothing to copy for a worker that starts. Most differ in name and address alone: these are a piece of JSON
// for each, and what else they have is one object for all that have the same. They never change; what does is
// the affair of `share-book.ts`.

import type { AccountId, ShareId } from './id.ts';
import type { Share } from './share.ts';
import { createTextIndex, numberOf, type TextIndex } from './text-index.ts';

/** What a share has for itself. */
export type OwnParts = Pick<Share, 'id' | 'accountId' | 'name' | 'hosts' | 'target'>;
export type AlikeParts = Omit<Share, keyof OwnParts>;

export type FlatShares = {
  /** Of each its `OwnParts`, as JSON. */
  readonly text: Uint8Array;
  /** Where each begins in it; the last is where the last one ends. */
  readonly starts: Uint32Array;
  /** For each, which of `alike` it is. */
  readonly kinds: Uint32Array;
  /** For each, 1 when it has no target. */
  readonly targetless: Uint8Array;
  readonly alike: readonly AlikeParts[];
  /** By id, and by each host. */
  readonly index: TextIndex;
};

export type GrowingFlatShares = {
  /** `alike` is the same object for all that have the same. */
  readonly add: (own: OwnParts, alike: AlikeParts) => void;
  /** Once, when all are there. */
  readonly done: () => FlatShares;
};

export function createFlatShares(): GrowingFlatShares {
  const index = createTextIndex();
  const kindOf = new Map<AlikeParts, number>();
  const [starts, kinds, targetless]: [number[], number[], number[]] = [[], [], []];
  let text = Buffer.alloc(LEAST_BYTES);
  let end = 0;
  return {
    add: ({ id, accountId, name, hosts, target }, alike) => {
      const number = starts.length;
      index.add(id, number);
      for (const host of hosts) index.add(host, number);
      starts.push(end);
      kinds.push(kindOf.get(alike) ?? kindOf.size);
      kindOf.set(alike, kinds[number]!);
      targetless.push(target === null ? 1 : 0);
      const own = JSON.stringify([id, accountId, name, hosts, target] satisfies OwnTuple);
      while (end + own.length * MOST_BYTES_OF_CHARACTER > text.length) text = twice(text);
      end += text.write(own, end, 'utf8');
    },
    done: () => ({
      text: sharedBytes(text.subarray(0, end)),
      starts: sharedNumbers([...starts, end]),
      kinds: sharedNumbers(kinds),
      targetless: sharedBytes(targetless),
      alike: [...kindOf.keys()],
      index: index.index(),
    }),
  };
}

/** How many there are; each has a number below it. */
export function countOfFlat({ kinds }: FlatShares): number {
  return kinds.length;
}

export function flatShare(flat: FlatShares, number: number): Share {
  const [id, accountId, name, hosts, target] = ownTuple(flat, number);
  return { id, accountId, name, hosts, target, ...flat.alike[flat.kinds[number]!]! };
}

export function flatId(flat: FlatShares, number: number): ShareId {
  return ownTuple(flat, number)[0];
}

export function flatNumberOfId(flat: FlatShares, id: ShareId): number | null {
  return numberOf(flat.index, id, (number) => flatId(flat, number) === id);
}

/** Of two with the same host, the one that was read last. */
export function flatNumberOfHost(flat: FlatShares, host: string): number | null {
  return numberOf(flat.index, host, (number) => ownTuple(flat, number)[3].includes(host));
}

type OwnTuple = [
  id: ShareId,
  accountId: AccountId,
  name: string,
  hosts: readonly string[],
  target: string | null,
];

function ownTuple({ text, starts }: FlatShares, number: number): OwnTuple {
  const start = starts[number]!;
  const json = Buffer.from(text.buffer, text.byteOffset + start, starts[number + 1]! - start);
  return JSON.parse(json.toString('utf8')) as OwnTuple;
}

function twice(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const more = Buffer.alloc(bytes.length * 2);
  more.set(bytes);
  return more;
}

function sharedBytes(values: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(new SharedArrayBuffer(values.length));
  bytes.set(values);
  return bytes;
}

function sharedNumbers(values: ArrayLike<number>): Uint32Array {
  const numbers = new Uint32Array(new SharedArrayBuffer(values.length * Uint32Array.BYTES_PER_ELEMENT));
  numbers.set(values);
  return numbers;
}

const LEAST_BYTES = 1 << 16;
/** In UTF-8, of a character as a string counts them. */
const MOST_BYTES_OF_CHARACTER = 3;
