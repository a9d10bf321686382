// @ts-check
// Where Node keeps the program as it compiled it, so that the next start need not strip types and compile
// again. JavaScript, since it runs before that cache is there: to strip one TypeScript file costs 30 ms and
// 18 MB.
//
// What is in the cache is run, so only a folder that nobody else can write to will do: $CACHE_DIRECTORY
// (systemd), or `doorward` below $XDG_CACHE_HOME or ~/.cache. Without such a folder the program runs as well,
// and starts slower.

import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';

/**
 * Uses the cache in this thread, and through the environment in its worker threads. Never throws.
 * @param {Record<string, string | undefined>} environment `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` come first.
 * @returns {void}
 */
export function useCodeCache(environment) {
  if (environment['NODE_COMPILE_CACHE'] !== undefined) return;
  const folder = codeCacheFolder(environment);
  if (folder === null) return;
  enableCompileCache(folder);
  environment['NODE_COMPILE_CACHE'] = folder;
}

/**
 * Makes the folder when it is missing.
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null} null when there is none, or when somebody else could write to it.
 */
export function codeCacheFolder(environment) {
  const folder = wantedFolder(environment);
  if (folder === null || process.getuid === undefined) return null;
  const owner = process.getuid();
  try {
    // Not `recursive`: it makes no home for who has none, and Node's never ends below /proc.
    for (const each of [dirname(folder), folder])
      if (!existsSync(each)) mkdirSync(each, { mode: OWNER_ONLY });
    // Whoever can write to the folder above could put another in its place.
    return isSafe(folder, [owner]) && isSafe(dirname(folder), [owner, ROOT]) ? folder : null;
  } catch {
    return null;
  }
}

/**
 * @param {Record<string, string | undefined>} environment
 * @returns {string | null}
 */
function wantedFolder(environment) {
  // systemd may name several, separated by colons.
  const [given = ''] = (environment['CACHE_DIRECTORY'] ?? '').split(':');
  if (isAbsolute(given)) return given;
  const { XDG_CACHE_HOME: caches = '', HOME: home = '' } = environment;
  // The XDG base directory specification: a relative path counts as none.
  if (isAbsolute(caches)) return join(caches, 'doorward');
  return isAbsolute(home) ? join(home, '.cache', 'doorward') : null;
}

/**
 * @param {string} folder
 * @param {readonly number[]} owners
 */
function isSafe(folder, owners) {
  const found = lstatSync(folder);
  return found.isDirectory() && owners.includes(found.uid) && (found.mode & OTHERS_WRITE) === 0;
}

const OWNER_ONLY = 0o700;
const OTHERS_WRITE = 0o022;
const ROOT = 0;
