// The console's files as they were built: read once, compressed once. Their names hold a hash of what is in them, so browsers may
// keep them for good; the page that names them may not be kept at all.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

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
  const folder = fileURLToPath(new URL('../../../console/dist/', import.meta.url));
  if (!existsSync(join(folder, 'index.html'))) return null;
  const paths = new Set(readdirSync(join(folder, 'assets')).map((name) => `assets/${name}`));
  const known = new Map<string, AppFile>();
  return {
    page: readFileSync(join(folder, 'index.html'), 'utf8'),
    find: (path) => {
      if (!paths.has(path)) return undefined;
      const file = known.get(path) ?? readAppFile(join(folder, path));
      known.set(path, file);
      return file;
    },
  };
}

function readAppFile(path: string): AppFile {
  const bytes = readFileSync(path);
  const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    bytes,
    packed: packed.byteLength < bytes.byteLength ? packed : null,
  };
}

/** A tenth of a second for the largest file, once. */
const BROTLI_QUALITY = 9;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
