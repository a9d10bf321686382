// Loaded before everything in each thread (`--import …?folder=F`): a data-plane thread writes down, again and
// again, how often timers and messages have woken it.

import { createHook } from 'node:async_hooks';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

/** `looks` grows with each writing. */
export type CountedWakes = { readonly looks: number; readonly wakes: number };

const folder = new URL(import.meta.url).searchParams.get('folder');
if (!isMainThread && folder !== null) {
  const counted = new Set<number>();
  let wakes = 0;
  let looks = 0;
  const file = join(folder, `wakes-${threadId}.json`);
  const write = () => {
    writeFileSync(`${file}.part`, JSON.stringify({ looks: ++looks, wakes } satisfies CountedWakes));
    renameSync(`${file}.part`, file);
  };
  // Set before anything is counted: its own firing is none.
  setInterval(write, 100).unref();
  createHook({
    init: (id, type) => {
      if (type === 'Timeout' || type === 'MESSAGEPORT') counted.add(id);
    },
    before: (id) => {
      if (counted.has(id)) wakes++;
    },
    destroy: (id) => void counted.delete(id),
  }).enable();
}
