// Builds the program as one executable file (Node.js, "Single executable applications"): a Node with all of
// the program's code as one script, and the files that it reads while it runs as assets, by their paths from
// the root.

import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { buildPackage } from '../package/build.ts';
import { compileScripts } from './compile-scripts.ts';
import { nodeProgram, type Platform } from './node-program.ts';
import { MAIN, START, WORKER } from './scripts.ts';
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
        // The path of the script is in the executable: from the folder alone, it is the same for each build.
        main: START,
        // Compiled code is of one processor's kind and one Node.
        assets:
          platform === `${process.platform}-${process.arch}`
            ? { ...parts.assets, ...parts.compiled }
            : parts.assets,
        executable: template(root, platform, place),
        output,
        useCodeCache: false,
        useSnapshot: false,
        disableExperimentalSEAWarning: true,
        execArgv: [YOUNG_GENERATION],
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

type Assets = Readonly<Record<string, string>>;
type Parts = { readonly assets: Assets; readonly compiled: Assets };

async function buildParts(root: string, work: string): Promise<Parts> {
  const folder = join(work, 'assets');
  mkdirSync(folder);
  // The same files as in the package: what browsers run is JavaScript there.
  await buildPackage(root, folder);
  const program = join(folder, 'program');
  await bundle(root, join(root, 'scripts/executable/entry.ts'), join(program, MAIN));
  await bundle(root, join(root, 'src/gateway/worker.ts'), join(program, WORKER));
  copyFileSync(join(root, 'scripts/executable', START), join(work, START));
  copyFileSync(join(work, START), join(program, START));
  const inFolder = (files: readonly string[]): Assets =>
    Object.fromEntries(files.map((file) => [file, join(folder, file)]));
  return {
    assets: inFolder(globSync(READ_WHILE_RUNNING, { cwd: folder })),
    compiled: inFolder(await compileScripts({ root, assets: folder, work })),
  };
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
  writeFileSync(file, asFunction(readFileSync(file, 'utf8')), 'latin1');
}

/**
 * A function of what modules are given, as `start.cjs` calls it. In ASCII: V8 keeps such a text in half of
 * the memory.
 */
function asFunction(script: string): string {
  const escaped = script.replaceAll(/\P{ASCII}/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  return `(function(require,module,exports,__filename,__dirname){${escaped}\n})`;
}

function assemble(node: string, work: string, description: Readonly<Record<string, unknown>>): void {
  const file = join(work, 'executable.json');
  writeFileSync(file, JSON.stringify(description));
  const { status, stderr } = spawnSync(node, [`--build-sea=${file}`], {
    cwd: work,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Cannot build the executable: ${stderr}`);
}

/**
 * MB, to begin with. V8's own beginning is collected eight times while the program starts, and what survives
 * is then collected among the old (measured: 50 of 345 ms of processor time until it listens).
 */
const YOUNG_GENERATION = '--min-semi-space-size=4';
const READ_WHILE_RUNNING = ['console/**/*.{js,html,css,svg}', 'src/x509/*.js', 'program/*.cjs'];
