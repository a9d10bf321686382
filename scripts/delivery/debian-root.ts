// An empty Debian to install in: what debootstrap makes of the smallest variant, copied for each use.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the base where it is missing. Throws with what debootstrap said. */
export function makeBase(base: string): void {
  if (existsSync(join(base, 'usr/bin/apt-get'))) return;
  run('debootstrap', ['--variant=minbase', 'bookworm', base]);
}

/** A copy that reaches the network as this machine does, and where apt asks nothing. */
export function copyOf(base: string, root: string): void {
  run('cp', ['--archive', '--reflink=auto', base, root]);
  for (const file of ['etc/resolv.conf', 'etc/hosts']) copyFileSync(`/${file}`, join(root, file));
  for (const folder of ['sources.list.d', 'apt.conf.d', 'trusted.gpg.d'])
    cpSync(`/etc/apt/${folder}`, join(root, 'etc/apt', folder), { recursive: true, dereference: true });
  writeFileSync(join(root, 'etc/apt/apt.conf.d/99try'), 'APT::Get::Assume-Yes "true";\n');
  mkdirSync(join(root, 'etc/ssl/certs'), { recursive: true });
  if (existsSync(CERTIFICATES)) copyFileSync(CERTIFICATES, join(root, CERTIFICATES));
}

/** Runs a line of a shell in the root, in its home folder. Throws with what it said. */
export function shell(root: string, line: string, starter: string): void {
  process.stdout.write(`  # ${line}\n`);
  writeFileSync(starter, startScript(root, `sh -euc "cd /root; ${line}"`));
  chmodSync(starter, 0o755);
  run(starter, []);
}

/** A program of this machine that is a program of the root. */
export function programIn(root: string, name: string, file: string): string {
  writeFileSync(file, startScript(root, `${name} "$@"`));
  chmodSync(file, 0o755);
  return file;
}

function startScript(root: string, words: string): string {
  return `#!/bin/sh
exec unshare --mount --propagation private sh -ec '
  mount --rbind /proc ${root}/proc
  mount --rbind /dev ${root}/dev
  cd /
  exec env -i ${ENVIRONMENT.join(' ')} $(command -v chroot) ${root} ${words}
' start "$@"
`;
}

function run(command: string, words: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, words, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`Cannot run ${command} ${words.join(' ')}: ${stdout}${stderr}`);
}

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const ENVIRONMENT = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'DEBIAN_FRONTEND=noninteractive',
  `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`,
];
