// Files of the program that it reads while it runs: those of pages, and the code of its threads. In a
// checkout and in a package they lie beside the source; the single executable carries them inside (Node.js,
// "Single executable applications").

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import sea from 'node:sea';

/** Whether this is the single executable. */
export const IS_EXECUTABLE = sea.isSea();

/** How files of the program's source end here: `.ts` in a checkout, `.js` otherwise. */
export const SOURCE_EXTENSION = IS_EXECUTABLE ? '.js' : extname(import.meta.url);

/** `path` is from the program's root: `console/redeem/main.html`. Throws when it is not there. */
export function readProgramFile(path: string): Buffer {
  return IS_EXECUTABLE ? Buffer.from(sea.getRawAsset(path)) : readFileSync(new URL(path, ROOT));
}

/**
 * Names in a folder that has files alone; none when there is no such folder. `folder` is from the program's
 * root: `console/dist/assets`.
 */
export function programFilesIn(folder: string): readonly string[] {
  const start = `${folder}/`;
  if (IS_EXECUTABLE)
    return sea.getAssetKeys().flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : []));
  const place = new URL(start, ROOT);
  return existsSync(place) ? readdirSync(place) : [];
}

const ROOT = new URL('../../', import.meta.url);
