// The single executable, built for this machine and moved elsewhere: nothing of the repository, and no Node,
// is where it runs. Then what is made of it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import packageFile from '../../package.json' with { type: 'json' };
import { ARCHITECTURES, buildDeb, debName } from '../../scripts/deb/build.ts';
import { buildExecutables } from '../../scripts/executable/build.ts';
import { billOfMaterials } from '../../scripts/image/bill-of-materials.ts';
import { buildImage } from '../../scripts/image/build.ts';
import { libraries, type Libraries } from '../../scripts/image/libraries.ts';
import type { Platform } from '../../scripts/executable/node-program.ts';
import { createBrowser } from '../support/browser-by-hand.ts';
import { faultsOfCommand } from '../support/documented-command.ts';
import { freeQuickstartPort, logInAtQuickstart, startQuickstart } from '../support/quickstart.ts';
import { unpackImage } from '../support/unpacked-image.ts';
import { testDelivered } from '../support/delivered.ts';
import { testInContainers } from '../support/in-containers.ts';

const ROOT = join(import.meta.dirname, '../..');
const { version } = packageFile;
const elsewhere = mkdtempSync(join(tmpdir(), 'doorward-executable-'));
const platform = `${process.platform}-${process.arch}` as Platform;
const program = join(elsewhere, `doorward-${platform}`);

before(() => buildExecutables(ROOT, elsewhere, [platform]));
after(() => rmSync(elsewhere, { recursive: true, force: true }));

testDelivered({ form: 'the executable', elsewhere, program });

test('the executable takes nothing from an environment without Node, and no option of Node from it', () => {
  const { status, stdout, stderr } = spawnSync(program, ['version', '--json'], {
    env: { PATH: '/nowhere', NODE_OPTIONS: '--require /nowhere.js' },
    cwd: elsewhere,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(JSON.parse(stdout), {
    version,
    node: process.versions.node,
    platform,
  });
});

test('the executable is at most 45 MB compressed (DESIGN 5)', () => {
  // At the build's own level it is a little smaller.
  const { length } = gzipSync(readFileSync(program), { level: 6 });
  assert.ok(length < 45e6, String(length));
});

test('two builds of the executable are the same file', async (t) => {
  const again = mkdtempSync(join(tmpdir(), 'doorward-again-'));
  t.after(() => rmSync(again, { recursive: true, force: true }));
  const [file = ''] = await buildExecutables(ROOT, again, [platform]);
  assert.ok(readFileSync(file).equals(readFileSync(program)));
});

test(
  'the Debian package puts the executable and its units in their places',
  { skip: without('dpkg-deb') },
  (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-deb-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, debName(version, platform));
    writeFileSync(file, buildDeb({ root: ROOT, platform, executable: program, version, level: 1 }));
    const control = said('dpkg-deb', ['--field', file, 'Package', 'Version', 'Architecture', 'Depends']);
    assert.match(control, /^Package: doorward\nVersion: \d+\.\d+\.\d+\nArchitecture: (?:amd64|arm64)\n/);
    assert.match(control, /libatomic1/);
    const laid = join(folder, 'laid');
    said('dpkg-deb', ['--extract', file, laid]);
    assert.equal(said(join(laid, 'usr/bin/doorward'), ['--version']), `${version}\n`);
    for (const [place, source] of PLACES)
      assert.equal(readFileSync(join(laid, place), 'utf8'), readFileSync(join(ROOT, source), 'utf8'), place);
    assert.match(readFileSync(join(laid, 'usr/share/doc/doorward/THIRD-PARTY-LICENSES'), 'utf8'), /^zod \d/m);
    const scripts = join(folder, 'scripts');
    said('dpkg-deb', ['--control', file, scripts]);
    for (const script of ['postinst', 'prerm', 'postrm']) {
      assert.equal(statSync(join(scripts, script)).mode & 0o777, 0o755);
      said('sh', ['-n', join(scripts, script)]);
    }
    const sums = readFileSync(join(scripts, 'md5sums'), 'utf8').trim().split('\n');
    for (const line of sums) {
      const [sum, path = ''] = line.split('  ');
      assert.equal(
        createHash('md5')
          .update(readFileSync(join(laid, path)))
          .digest('hex'),
        sum,
        path,
      );
    }
  },
);

const kept = join(ROOT, 'node_modules/.cache/doorward-libraries');
const linked = librariesHere();

test(
  'the image is an OCI image of two layers, small, of one digest, for a user without privileges',
  { skip: linked.missing },
  (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-image-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { archive, digest } = image();
    assert.equal(makeImage().digest, digest);
    const architecture = ARCHITECTURES[platform];
    const { sizes, config } = unpackImage(archive, folder, architecture);
    // At the build's own level it is a tenth smaller.
    assert.ok(sizes.length === 2 && sizes.reduce((sum, size) => sum + size) < 60e6, sizes.join());
    assert.deepEqual([config.User, config.Entrypoint], ['65532:65532', ['/usr/bin/doorward']]);
    for (const [, ...words] of [config.Healthcheck.Test, ['', ...config.Entrypoint, ...config.Cmd]])
      assert.deepEqual(faultsOfCommand(words.join(' ').replace('/usr/bin/', '')), []);
    assert.ok(!existsSync(join(folder, 'root/bin/sh')), 'there is no shell in it');
    const { packages } = linked.found;
    const bill = JSON.parse(billOfMaterials({ root: ROOT, version, node: '26', packages })) as Bill;
    const names = bill.components.map(({ name }) => name);
    for (const name of ['zod', 'node', 'libc6', 'libatomic1']) assert.ok(names.includes(name), name);
    assert.equal(new Set(bill.components.map((each) => each['bom-ref'])).size, names.length);
    for (const { name, copyright } of packages) assert.match(copyright, /licen[sc]e/i, name);
  },
);

test(
  'the image brings the quick start, with a root that is read-only',
  { skip: linked.missing || withoutMounts() },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-image-'));
    chmodSync(folder, 0o755);
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const unpacked = unpackImage(image().archive, folder, ARCHITECTURES[platform]);
    const refused = spawnSync(unpacked.program, ['init', '--dir', '/etc/doorward'], { encoding: 'utf8' });
    assert.match(refused.stderr, /EROFS/);
    const port = await freeQuickstartPort();
    const quickstart = await startQuickstart({ dir: '/tmp/quickstart', port, program: unpacked.program });
    t.after(() => quickstart.stop());
    const page = await logInAtQuickstart(createBrowser(), quickstart.address, 'ada@example.com');
    assert.match(page.body, /Hello ada@example\.com/);
    assert.equal(quickstart.errors(), '');
  },
);

testInContainers({
  archive: () => image().archive,
  missing: linked.missing,
});

type Bill = { readonly components: readonly { readonly name: string; readonly 'bom-ref': string }[] };

let built: ReturnType<typeof makeImage> | null = null;

/** Made when a test first needs it, for all of them. */
function image() {
  return (built ??= makeImage());
}

function makeImage() {
  return buildImage({
    version,
    images: [{ platform, executable: program, libraries: linked.found.entries }],
    level: 1,
  });
}

/** Debian's, or why they cannot be had: another system, or no network. */
function librariesHere(): { readonly found: Libraries; readonly missing: string | false } {
  const none: Libraries = { entries: [], packages: [] };
  const missing = without('apt-get') || without('dpkg-deb');
  if (missing !== false) return { found: none, missing };
  try {
    return { found: libraries(platform, kept), missing: false };
  } catch (error) {
    return { found: none, missing: `Debian’s libraries cannot be had: ${String(error).split('\n', 1)[0]}` };
  }
}

function withoutMounts(): string | false {
  if (process.getuid?.() !== 0) return 'only root can mount';
  const { status } = spawnSync('unshare', ['--mount', 'true']);
  return status === 0 ? false : 'mount namespaces are not allowed here';
}

/** Why a test that needs a program of the machine is skipped; false when it is there. */
function without(command: string): string | false {
  return spawnSync(command, ['--version']).error === undefined ? false : `${command} is not installed`;
}

function said(command: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout;
}

const PLACES = [
  ['usr/lib/systemd/system/doorward.service', 'deploy/systemd/doorward.service'],
  ['usr/lib/systemd/system/doorward-agent.service', 'deploy/systemd/doorward-agent.service'],
  ['usr/lib/sysusers.d/doorward.conf', 'deploy/systemd/doorward.sysusers'],
  ['usr/lib/tmpfiles.d/doorward.conf', 'deploy/systemd/doorward.tmpfiles'],
] as const;
