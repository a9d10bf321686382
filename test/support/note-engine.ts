// Tells the gate on which engine a test file has a store, so that its summary can say what ran where. By hand
// nobody asks.

import { appendFileSync } from 'node:fs';

export type Engine = (typeof ENGINES)[number];
export const ENGINES = ['SQLite', 'PostgreSQL'] as const;

export function noteEngine(engine: Engine): void {
  const notes = process.env[ENGINE_NOTES];
  if (notes !== undefined) appendFileSync(notes, `${engine}\n`);
}

/** Names the file for the notes. */
export const ENGINE_NOTES = 'DOORWARD_TEST_ENGINES';
