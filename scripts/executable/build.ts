// Builds the program as one executable file (Node.js, "Single executable applications"): a Node with all of
// the program's code as one script, and the files that it reads while it runs as assets, by their paths from
// the root.

import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { buildPackage } from '../package/build.ts';
import { nodeProgram, type Platform } from './node-program.ts';
import { blankUnloaded } from './without-symbols.ts';
import { blankTypeStripper } from './without-types.ts';

/**
 * Writes `doorward-<platform>` into the folder `into` for each platform; answers the files. Throws without a
 * built console.
 */
export async function buildExecutables(
  root: string,
  into: string,
  platforms: readonly Platform[],
): Promise<readonly string[]> {
  mkdirSync(into, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'doorward-executable-'));
  try {
    const parts = await buildParts(root, work);
    return platforms.map((platform) => {
      const output = resolve(into, `doorward-${platform}`);
      const place = join(work, platform);
      mkdirSync(place);
      assemble(join(root, 'node_modules/node/bin/node'), work, {
        ...parts,
        executable: template(root, platform, place),
        output,
        // Compiled code is of one processor's kind and one Node.
        useCodeCache: platform === `${process.platform}-${process.arch}`,
        useSnapshot: false,
        disableExperimentalSEAWarning: true,
        // What is in the environment does not become an option of Node.
        execArgvExtension: 'none',
      });
      return output;
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Node without what only its debuggers read, and what only TypeScript needs. */
function template(root: string, platform: Platform, place: string): string {
  const program = readFileSync(nodeProgram(root, platform, place));
  blankUnloaded(program);
  blankTypeStripper(program);
  const file = join(place, 'node');
  writeFileSync(file, program, { mode: 0o755 });
  return file;
}

type Parts = { readonly main: string; readonly assets: Readonly<Record<string, string>> };

async function buildParts(root: string, work: string): Promise<Parts> {
  // The path of the script is in the executable: from the folder alone, it is the same for each build.
  const main = 'main.cjs';
  const worker = join(work, 'worker.cjs');
  await bundle(root, join(root, 'scripts/executable/entry.ts'), join(work, main));
  await bundle(root, join(root, 'src/gateway/worker.ts'), worker);
  // The same files as in the package: what browsers run is JavaScript there.
  const published = join(work, 'package');
  mkdirSync(published);
  await buildPackage(root, published);
  const files = globSync(READ_WHILE_RUNNING, { cwd: published });
  const assets = Object.fromEntries(files.map((file) => [file, join(published, file)]));
  return { main, assets: { ...assets, 'threads/worker.cjs': worker } };
}

/**
 * One CommonJS script, since threads take nothing else as text. Names stay as they are: traces and classes
 * are read by people.
 */
async function bundle(root: string, input: string, file: string): Promise<void> {
  const bundled = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    // An option of `pg` that needs a compiler; it is asked for and may be missing.
    external: ['pg-native'],
    onLog: (level, log, tell) => {
      // Dependencies of the provider for trying compile a wrapper; nothing is handed to it.
      if (log.code !== 'EVAL') tell(level, log);
    },
  });
  await bundled.write({
    file,
    format: 'cjs',
    codeSplitting: false,
    // What a command does not need is not run at its start.
    strictExecutionOrder: true,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundled.close();
}

function assemble(node: string, work: string, description: Readonly<Record<string, unknown>>): void {
  const file = join(work, 'executable.json');
  writeFileSync(file, JSON.stringify(description));
  const { status, stderr } = spawnSync(node, [`--random-seed=${SEED}`, `--build-sea=${file}`], {
    cwd: work,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Cannot build the executable: ${stderr}`);
}

/**
 * Compiled code is in an order that depends on the seed; from one seed, two builds are the same file. The
 * program's own seed is its own.
 */
const SEED = 1;
const READ_WHILE_RUNNING = ['console/**/*.{js,html,css,svg}', 'src/x509/*.js'];
