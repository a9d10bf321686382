// `npm run build:executable [-- PLATFORM…]`: writes dist/doorward-linux-x64 and dist/doorward-linux-arm64, or
// those that are named, each beside itself compressed (gzip). The executable of another platform than this
// one's takes its Node from the package registry.

import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { buildExecutables } from './executable/build.ts';
import { platformsNamed } from './executable/node-program.ts';

const root = resolve(import.meta.dirname, '..');
const platforms = platformsNamed(process.argv.slice(2));
for (const file of await buildExecutables(root, join(root, 'dist'), platforms)) {
  const packed = `${file}.gz`;
  await pipeline(
    createReadStream(file),
    createGzip({ level: constants.Z_BEST_COMPRESSION }),
    createWriteStream(packed),
  );
  for (const each of [file, packed])
    process.stdout.write(`${relative(root, each)} ${(statSync(each).size / 1e6).toFixed(1)} MB\n`);
}
