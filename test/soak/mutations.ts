// Bytes broken in every way that bytes break: cut, turned, doubled, moved, with lengths that lie. From a
// seed, so that what was found is found again.

export type Dice = {
  /** From 0 to below `end`. */
  readonly below: (end: number) => number;
  readonly pick: <Thing>(things: readonly Thing[]) => Thing;
  readonly bytes: (length: number) => Buffer;
};

/** Mulberry32: 32 bits of state are plenty here. */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const below = (end: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  return {
    below,
    pick: (things) => {
      const thing = things[below(things.length)];
      if (thing === undefined) throw new RangeError('Cannot pick: there is nothing');
      return thing;
    },
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

/** One to three breaks. The outcome may, rarely, be what it was. */
export function broken(bytes: Uint8Array, dice: Dice): Buffer {
  let found = Buffer.from(bytes);
  for (let breaks = 1 + dice.below(3); breaks > 0; breaks--) found = dice.pick(BREAKS)(found, dice);
  return found;
}

type Break = (bytes: Buffer, dice: Dice) => Buffer<ArrayBuffer>;

const BREAKS: readonly Break[] = [
  function cut(bytes, dice) {
    return Buffer.from(bytes.subarray(0, dice.below(bytes.length + 1)));
  },
  function turnBits(bytes, dice) {
    return changed(bytes, dice, (byte) => byte ^ (1 << dice.below(8)));
  },
  function replaceByte(bytes, dice) {
    return changed(bytes, dice, () => dice.below(256));
  },
  function lieAboutLength(bytes, dice) {
    return changed(bytes, dice, () => dice.pick([0, 0x7f, 0x80, 0x81, 0x82, 0x83, 0x84, 0xff]));
  },
  function insert(bytes, dice) {
    const at = dice.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), dice.bytes(1 + dice.below(20)), bytes.subarray(at)]);
  },
  function leaveOut(bytes, dice) {
    const at = dice.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + dice.below(20))]);
  },
  function double(bytes, dice) {
    const at = dice.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at + dice.below(60)), bytes.subarray(at)]);
  },
  function append(bytes, dice) {
    return Buffer.concat([bytes, dice.bytes(1 + dice.below(40))]);
  },
];

function changed(bytes: Buffer, dice: Dice, change: (byte: number) => number): Buffer<ArrayBuffer> {
  const copy = Buffer.from(bytes);
  if (copy.length === 0) return copy;
  const at = dice.below(copy.length);
  copy.writeUInt8(change(copy.readUInt8(at)) & 0xff, at);
  return copy;
}
