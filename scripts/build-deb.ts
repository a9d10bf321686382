// `npm run build:deb [-- PLATFORM…]`: writes dist/doorward_<version>_amd64.deb and …_arm64.deb from the
// executables, which are built where they are missing.

import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { buildDeb, debName } from './deb/build.ts';
import { buildExecutables } from './executable/build.ts';
import { platformsNamed } from './executable/node-program.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const { version } = packageFile;
for (const platform of platformsNamed(process.argv.slice(2))) {
  const executable = join(dist, `doorward-${platform}`);
  if (!existsSync(executable)) await buildExecutables(root, dist, [platform]);
  const file = join(dist, debName(version, platform));
  writeFileSync(file, buildDeb({ root, platform, executable, version }));
  process.stdout.write(`${relative(root, file)} ${(statSync(file).size / 1e6).toFixed(1)} MB\n`);
}
