// `npm run site [-- FOLDER]`: the documentation as a site of static files, in dist/site unless a folder is said.
// VitePress has a lock file of its own: nobody who installs or tests the program needs it.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { linkOf, SECTIONS } from './sidebar.ts';
import { stage, titleOf } from './stage.ts';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..');

function main(folder: string): void {
  if (!existsSync(join(HERE, 'node_modules/.package-lock.json')))
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  const pages = join(HERE, 'pages');
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(pages);
  stage(ROOT, pages);
  const settings = join(pages, '.vitepress');
  cpSync(join(HERE, 'vitepress'), settings, { recursive: true });
  const sidebar = SECTIONS.map(({ title, pages: names }) => ({
    text: title,
    collapsed: false,
    items: names.map((name) => ({ text: titleOf(ROOT, `${name}.md`), link: linkOf(name) })),
  }));
  writeFileSync(join(settings, 'sidebar.json'), JSON.stringify(sidebar, null, 2));
  run(process.execPath, [
    join(HERE, 'node_modules/vitepress/bin/vitepress.js'),
    'build',
    pages,
    '--outDir',
    folder,
  ]);
  rmSync(pages, { recursive: true });
}

function run(program: string, words: readonly string[]): void {
  const { status, error } = spawnSync(program, words, { cwd: HERE, stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}.`);
}

main(resolve(process.argv[2] ?? join(ROOT, 'dist/site')));
