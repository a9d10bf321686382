// Where the program starts, and how it starts quickly.

import { join } from 'node:path';

export const FRONT_DOOR = join(import.meta.dirname, '../../bin/doorward.js');

/**
 * What the gate's processes start quickly by: its folder of compiled code, and its modules. Whoever starts
 * the program with few variables gives it these, too: without them each start finds its modules one by one,
 * takes off their types and compiles them, which takes longer than most commands.
 */
export function compiled(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).filter(isQuick));
}

/** All other variables: the program is found and read as its users' Node does it. */
export function asInstalled(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(process.env).filter((each) => isSet(each) && !isQuick(each)));
}

function isQuick(variable: readonly [string, string | undefined]): variable is [string, string] {
  return isSet(variable) && QUICK.has(variable[0]);
}

function isSet(variable: readonly [string, string | undefined]): variable is [string, string] {
  return variable[1] !== undefined;
}

const QUICK: ReadonlySet<string> = new Set(['NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'DOORWARD_TEST_MODULES']);
