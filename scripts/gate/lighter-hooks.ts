// Loaded before a test file. Node's runner follows every promise of the process, to know which test a fault
// belongs to that nobody awaits, and that costs a file up to a quarter of its time. It follows all else, from
// here on. Such a fault still fails its file, which then says what the fault is and not always in which test;
// `node --test FILE` does.

import hooks, { createHook } from 'node:async_hooks';

type Callbacks = Parameters<typeof createHook>[0];

hooks.createHook = (callbacks: Callbacks) => createHook({ ...callbacks, trackPromises: false });
