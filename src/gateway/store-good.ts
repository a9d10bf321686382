// When the last good poll of the store began, for all workers, in memory that they share with the main
// thread: a message at each poll would wake every worker, twice a second, for nothing.

/** What workers read it from. */
export type StoreGoodMemory = SharedArrayBuffer;

/** As workers hear of it: whoever else judges by it is of one mind with them. */
export function asTold(at: number): number {
  return Math.floor(at / UNIT_MS) * UNIT_MS;
}

export type StoreGood = {
  readonly memory: StoreGoodMemory;
  /** `at` on the clock of `steadyNow()`; it is kept to the tenth of a second before. */
  readonly tell: (at: number) => void;
};

export function createStoreGood(at: number): StoreGood {
  const memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const cell = new Int32Array(memory);
  const tell = (next: number) => void Atomics.store(cell, 0, Math.floor(next / UNIT_MS));
  tell(at);
  return { memory, tell };
}

/** Answers, each time it is called, what was told last. */
export function storeGoodReader(memory: StoreGoodMemory): () => number {
  const cell = new Int32Array(memory);
  return () => Atomics.load(cell, 0) * UNIT_MS;
}

/** With 32 bits, enough for a machine that has been up for six years. */
const UNIT_MS = 100;
