// The scripts of the single executable, in the folder `program` among its assets.

/** Of the program's first thread. */
export const MAIN = 'main.cjs';
/** Of each worker of the data plane. */
export const WORKER = 'worker.cjs';
/** Runs either. */
export const START = 'start.cjs';
