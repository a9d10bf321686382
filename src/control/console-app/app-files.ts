// The console's files as they were built: read once, compressed once. Their names hold a hash of what is in
// them, so browsers may keep them for good; the page that names them may not be kept at all.

import { extname } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { programFilesIn, readProgramFile } from '../../http/program-files.ts';

export type AppFile = {
  readonly type: string;
  readonly bytes: Buffer;
  /** Brotli; null where it would not be smaller. */
  readonly packed: Buffer | null;
};

export type AppFiles = {
  readonly page: string;
  /** By their path below /console/. */
  readonly find: (path: string) => AppFile | undefined;
};

/** Null when the console was not built. */
export function readAppFiles(): AppFiles | null {
  const names = programFilesIn(`${BUILT}/assets`);
  if (names.length === 0) return null;
  const paths = new Set(names.map((name) => `assets/${name}`));
  const known = new Map<string, AppFile>();
  return {
    page: readProgramFile(`${BUILT}/index.html`).toString('utf8'),
    find: (path) => {
      if (!paths.has(path)) return undefined;
      const file = known.get(path) ?? readAppFile(path);
      known.set(path, file);
      return file;
    },
  };
}

function readAppFile(path: string): AppFile {
  const bytes = readProgramFile(`${BUILT}/${path}`);
  const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    bytes,
    packed: packed.byteLength < bytes.byteLength ? packed : null,
  };
}

/** From the program's root; Vite puts it there. */
const BUILT = 'console/dist';
/** A tenth of a second for the largest file, once. */
const BROTLI_QUALITY = 9;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
