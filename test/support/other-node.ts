// Other lines of Node than the tests' own, for the form that runs on each: fetched once, kept beside
// node_modules' caches.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetchNode, type Platform } from '../../scripts/executable/node-program.ts';

export type OtherNode = { readonly version: string; readonly path: string } | { readonly missing: string };

/** Where it cannot be had, `missing` says why. Throws for a package that is not the one that is known. */
export function otherNode(version: string): OtherNode {
  const kept = join(CACHE, version);
  if (existsSync(kept)) return { version, path: kept };
  if (process.platform !== 'linux') return { missing: `no Node ${version} for ${process.platform} is known` };
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'fetching-'));
  try {
    // Another file may do the same: what is there is whole.
    renameSync(fetchNode(version, `linux-${process.arch}` as Platform, work), kept);
    return { version, path: kept };
  } catch (error) {
    if (String(error).includes('is not the package whose hash')) throw error;
    return { missing: `Node ${version} cannot be fetched: ${String(error).split('\n', 1)[0]}` };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A program that runs the script on that Node, whatever Node the tests run on. */
export function programOn(node: string, script: string, file: string): string {
  writeFileSync(file, `#!/bin/sh\nexec '${node}' '${script}' "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/doorward-node');
