// Where the program starts, and how it starts quickly.

import { join } from 'node:path';

export const FRONT_DOOR = join(import.meta.dirname, '../../bin/doorward.js');

/**
 * The variable that names the gate's folder of compiled code. Whoever starts the program with few variables
 * gives it this one, too: without it each start takes off the types and compiles again, which takes longer
 * than most commands.
 */
export function compiled(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder };
}
