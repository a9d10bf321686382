// `npm run try-delivery`: brings every form of delivery to a logged-in page, each in an empty Debian of its
// own, by the commands that README.md has for it. Only the port and the folder of the quick start are chosen
// here. What is not in dist/ is built first. Needs root, debootstrap, and the packages of Debian and npm.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createBrowser } from '../test/support/browser-by-hand.ts';
import { startPodman } from '../test/support/podman.ts';
import { freeQuickstartPort, logInAtQuickstart, startQuickstart } from '../test/support/quickstart.ts';
import { unpackImage } from '../test/support/unpacked-image.ts';
import { copyOf, makeBase, programIn, shell } from './delivery/debian-root.ts';
import { type Form, imageCommand, installCommands } from './delivery/install-commands.ts';
import { fetchNode } from './executable/node-program.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = installCommands(readme);
const NODE = '24.21.0';
const NPM = '11.19.1';
const work = mkdtempSync(join(tmpdir(), 'doorward-delivery-'));
// Others than root start what is in it.
chmodSync(work, 0o755);

/** What a form is delivered as, and what has to be there before its command can run. */
const FORMS: Readonly<
  Record<Exclude<Form, 'Image'>, { readonly file: string; readonly prepare: (place: string) => void }>
> = {
  Executable: { file: 'doorward-linux-x64', prepare: () => undefined },
  'Debian package': { file: 'doorward_*_amd64.deb', prepare: () => undefined },
  'npm package': { file: 'doorward-*.tgz', prepare: installNode },
};

try {
  build('doorward-linux-x64', ['run', 'build:executable', '--', 'linux-x64']);
  build('doorward_*_amd64.deb', ['run', 'build:deb', '--', 'linux-x64']);
  build('doorward-image.tar', ['run', 'build:image', '--', 'linux-x64']);
  build('doorward-*.tgz', ['run', 'pack', '--', dist]);
  const base = process.argv[2] ?? join(dist, 'debian');
  makeBase(base);
  for (const [form, { file, prepare }] of Object.entries(FORMS)) {
    process.stdout.write(`${form}\n`);
    const place = join(work, file.replaceAll(/\W/g, '-'));
    copyOf(base, place);
    const [name = ''] = globSync(file, { cwd: dist });
    copyFileSync(join(dist, name), join(place, 'root', name));
    const starter = `${place}-starter`;
    shell(place, 'apt-get -qq update', starter);
    prepare(place);
    shell(place, commands[form as Form], starter);
    await logIn(programIn(place, 'doorward', `${place}-doorward`), '/root/quickstart');
  }
  await tryImage();
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Where Podman starts no containers at all, the image is unpacked and started without it. */
async function tryImage(): Promise<void> {
  process.stdout.write(`Image\n  # ${commands.Image}\n`);
  const file = join(dist, 'doorward-image.tar');
  const folder = join(work, 'podman');
  mkdirSync(folder);
  const run = imageCommand(readme);
  const trial = [run.split(' ').at(-1) ?? '', 'version'];
  const podman = await startPodman({ folder, archive: file, trial });
  if ('run' in podman) {
    try {
      const program = join(work, 'doorward-in-podman');
      writeFileSync(program, `#!/bin/sh\nexec ${run.replace('podman', podman.program)} "$@"\n`, {
        mode: 0o755,
      });
      process.stdout.write(`  # ${run} quickstart --dir /tmp/quickstart\n`);
      await logIn(program, '/tmp/quickstart');
    } finally {
      await podman.close();
    }
    return;
  }
  process.stdout.write(`  (${podman.missing}: the image is unpacked, and started by unshare)\n`);
  const { program } = unpackImage(readFileSync(file), mkdtempSync(join(work, 'image-')), 'amd64');
  await logIn(program, '/tmp/quickstart');
}

async function logIn(program: string, dir: string): Promise<void> {
  const quickstart = await startQuickstart({ dir, port: await freeQuickstartPort(), program });
  try {
    const page = await logInAtQuickstart(createBrowser(), quickstart.address, 'ada@example.com');
    if (!page.body.includes('Hello ada@example.com')) throw new Error(`Cannot log in: ${page.status}`);
    process.stdout.write(`  logged in at ${quickstart.address}: Hello ada@example.com\n`);
  } finally {
    await quickstart.stop();
  }
}

function build(file: string, words: readonly string[]): void {
  if (globSync(file, { cwd: dist }).length === 0) execFileSync('npm', words, { cwd: root, stdio: 'inherit' });
}

/** What the package needs: a Node with npm, both from npm's own packages, and Node's libraries. */
function installNode(place: string): void {
  const starter = `${place}-starter`;
  shell(place, 'apt-get -qq install libatomic1 libstdc++6', starter);
  const fetched = mkdtempSync(join(work, 'node-'));
  copyFileSync(fetchNode(NODE, 'linux-x64', fetched), join(place, 'usr/local/bin/node'));
  execFileSync('npm', ['pack', `npm@${NPM}`, '--silent'], { cwd: fetched, stdio: 'ignore' });
  const npm = join(place, 'usr/local/lib/node_modules/npm');
  mkdirSync(npm, { recursive: true });
  execFileSync('tar', ['-xzf', `npm-${NPM}.tgz`, '--strip-components=1', '-C', npm], { cwd: fetched });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(place, 'usr/local/bin/npm'));
  chmodSync(join(npm, 'bin/npm-cli.js'), 0o755);
}
