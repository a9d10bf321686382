// `npm run pack [-- FOLDER]`: writes doorward-<version>.tgz into the folder, the current one unless said. It
// needs no network.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildPackage } from './package/build.ts';

const [folder = '.'] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'doorward-pack-'));
try {
  const built = join(work, 'package');
  mkdirSync(built);
  await buildPackage(resolve(import.meta.dirname, '..'), built);
  const words = ['pack', built, '--pack-destination', resolve(folder), '--cache', join(work, 'cache')];
  const { status, error } = spawnSync('npm', [...words, '--offline', '--update-notifier=false'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error !== undefined) throw error;
  process.exitCode = status ?? 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
