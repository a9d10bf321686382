// Loaded before everything in each thread (`--import …?file=F`): a data-plane thread ends, as by a crash,
// when the file F appears, and takes it away.

import { rmSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const file = new URL(import.meta.url).searchParams.get('file');
if (!isMainThread && file !== null)
  watch(dirname(file), (_event, name) => {
    if (name !== basename(file)) return;
    rmSync(file, { force: true });
    process.exit(1);
  });
