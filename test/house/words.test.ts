// One word for one thing (DESIGN 1): people log in and out, as the contract says it. They do not sign in.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FAULT_TEXTS } from '../../src/http/fault-text.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync(
  [
    '*.md',
    '{src,console,devidp,bin,examples,scripts,bench}/**/*.{ts,html,js,py,yaml}',
    'docs/**/*.{md,json}',
  ],
  { cwd: root },
);

test('pages, documents and commands say "log in" and "log out", never "sign in" (DESIGN 1)', () => {
  const found = files.flatMap((file) => strayWords(readFileSync(join(root, file), 'utf8'), file));
  assert.deepEqual(found, []);
  assert.ok(files.length > 100, `${files.length} files were read`);
});

test('words: each spelling of the other word is found', () => {
  const text = 'Sign in\nYou are signed out\nsigning in\nsign-out\nlog in';
  assert.equal(strayWords(text, 'page').length, 4);
  assert.deepEqual(strayWords('a designed input is signed; single sign-on', 'page'), []);
  assert.deepEqual(strayWords('nginx.ingress.kubernetes.io/auth-signin: x', 'page'), []);
});

test('what is written stands for itself: no file points at a number in a tracker', () => {
  const tests = globSync('{src,console,test,devidp,examples}/**/*.test.ts', { cwd: root });
  const found = [...files, ...tests].filter((file) =>
    IN_A_TRACKER.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(found, []);
});

test('what a person reads keeps to the glossary of docs/design.md: no phrase of its last column (DESIGN 1)', () => {
  const banned = bannedPhrases();
  assert.ok(banned.length > 10, banned.join());
  const read = globSync(READ_BY_PEOPLE, { cwd: root }).filter((file) => !NOT_READ.test(file));
  assert.ok(read.length > 200, `${read.length} files were read`);
  const found = read.flatMap((file) =>
    bannedIn(withoutGlossary(readFileSync(join(root, file), 'utf8')), banned).map(
      (words) => `${file}: ${words}`,
    ),
  );
  assert.deepEqual(found, []);
});

test('every hint is a sentence (DESIGN 1)', () => {
  const hints = sources().flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(HINT)].map(([, single, double, template]) => ({
      file,
      text: single ?? double ?? template ?? '',
    })),
  );
  assert.ok(hints.length > 150, `${hints.length} hints were read`);
  assert.deepEqual(
    hints.filter(({ text }) => !isSentence(text)),
    [],
  );
});

test('words: a hint without its capital or its end is no sentence', () => {
  for (const text of ['Try again.', '`doorward init` writes one.', 'Run: doorward share delete ${name}'])
    assert.ok(isSentence(text), text);
  for (const text of ['try again.', 'Try again', '']) assert.ok(!isSentence(text), text);
});

test('every message of an error says what cannot be done, without a period at its end (DESIGN 1)', () => {
  const messages = sources().flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(MESSAGE)].map(([, single, double, template]) => ({
      file,
      text: single ?? double ?? template ?? '',
    })),
  );
  assert.ok(messages.length > 400, `${messages.length} messages were read`);
  assert.deepEqual(
    messages.filter(({ text }) => !isMessage(text)),
    [],
  );
});

test('words: a message that does not say what cannot be done, or that ends as a sentence does, is none', () => {
  assert.ok(isMessage('Cannot find share "${name}"'));
  for (const text of ['No share', 'Cannot find it.', 'cannot find it']) assert.ok(!isMessage(text), text);
});

test('what a visitor reads of an error is sentences, one after the other (DESIGN 1)', () => {
  const texts = Object.values(FAULT_TEXTS).flatMap(({ what, next }) => [what, next]);
  assert.deepEqual(
    texts.filter((text) => !isSentence(text)),
    [],
  );
});

test('the description of the API: summaries are titles, descriptions are sentences (DESIGN 1)', () => {
  const said = saidOf(JSON.parse(readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8')));
  assert.ok(said.length > 500, `${said.length} texts were read`);
  const wrong = said.filter(({ key, text }) => (key === 'summary' ? !isTitle(text) : !isSentence(text)));
  assert.deepEqual(wrong, []);
  const banned = bannedPhrases();
  assert.deepEqual(
    said.filter(({ text }) => bannedIn(text, banned).length > 0),
    [],
  );
});

test('words: a phrase of the last column is found, also over the end of a line', () => {
  assert.deepEqual(bannedIn('It is Good\n  for a day.', ['good for']), ['good for']);
  assert.deepEqual(bannedIn('It is valid for a day. // good for', ['good for']), []);
});

test('documents are wrapped at 120 columns; tables, code and addresses aside', () => {
  const documents = globSync(['{README,SECURITY,CONTRIBUTING}.md', 'docs/**/*.md'], { cwd: root }).filter(
    (file) => !file.includes('docs/reference'),
  );
  const wide = documents.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .replaceAll(/^ *```[^]*?^ *```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
      .split('\n')
      .flatMap((line, index) => (line.length > 120 && !UNWRAPPED.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
});

test('comments are wrapped at 110 columns; drawings, examples and directives aside', () => {
  const code = globSync('{src,console,test,devidp,bench,scripts,bin}/**/*.{ts,tsx,js}', {
    cwd: root,
    exclude: ['console/dist/**'],
  });
  const wide = code.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (line.length > 110 && isProse(line) ? [`${file}:${index + 1}`] : [])),
  );
  assert.deepEqual(wide, []);
});

/** A line of a comment whose words could stand on another line, too. */
function isProse(line: string): boolean {
  const [, words = ''] = /^\s*(?:\/\/|\/?\*\*?) (\S.*)$/.exec(line) ?? [];
  return words !== '' && !/^(?:@|oxlint|eslint|https?:)|[─►▶└]/.test(words);
}

/** The phrases in backticks of the last column of the glossary. */
function bannedPhrases(): readonly string[] {
  const rows = glossary(readFileSync(join(root, 'docs/design.md'), 'utf8')).match(/^\|.*\|$/gm) ?? [];
  return rows.flatMap((row) =>
    [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, words = '']) => words),
  );
}

function glossary(text: string): string {
  return /^## 1\. Words\n[^]*?(?=^## 2\.)/m.exec(text)?.[0] ?? '';
}

function withoutGlossary(text: string): string {
  return text.replace(glossary(text), '');
}

function bannedIn(text: string, banned: readonly string[]): readonly string[] {
  const shown = text
    .replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
  return banned.filter((words) => new RegExp(`(?<!\\w)${RegExp.escape(words)}(?!\\w)`).test(shown));
}

function sources(): readonly string[] {
  return globSync('src/**/*.ts', { cwd: root }).filter((file) => !NOT_READ.test(file));
}

/** A text that ends with a command or a value that is filled in needs no period. */
function isSentence(text: string): boolean {
  return /^[\p{Lu}`"“$-]/u.test(text) && /[.?!)}`]$/.test(text);
}

/** Behind the place of a field stands only what was found there. */
function isMessage(text: string): boolean {
  return /^(?:Cannot |\$\{CANNOT\}|there is no provider )/.test(text) && !text.endsWith('.');
}

function isTitle(text: string): boolean {
  return /^\p{Lu}/u.test(text) && !text.endsWith('.');
}

type Said = { readonly key: string; readonly text: string; readonly at: string };

/** Each summary and description in the API's description. Lists of errors consist of their titles. */
function saidOf(value: unknown, at = ''): readonly Said[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): readonly Said[] => {
    const isText = typeof inner === 'string' && (key === 'summary' || key === 'description');
    if (!isText) return saidOf(inner, `${at}/${key}`);
    return LIST_OF_ERRORS.test(inner) ? [] : [{ key, text: inner, at }];
  });
}

const LIST_OF_ERRORS = /^`[a-z_]+`: /;
/** The message of an error that is written where it is thrown. */
const MESSAGE = /\bnew ServiceError\(\s*[\w.']+,\s*(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`)/g;
/** The text of a hint that is written where it is given. */
const HINT = /\bhint:\s+(?:'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`),?\n/g;

/** Documents, and the code whose texts are help, pages, errors and the console. Comments are not judged. */
const READ_BY_PEOPLE = [
  '{README,SECURITY,CONTRIBUTING}.md',
  'docs/{how-to,tutorial,explanation,decisions,reference}/**/*.md',
  'docs/*.md',
  'examples/**/*.{md,yaml,json}',
  'devidp/*.ts',
  'src/**/*.ts',
  'console/{app,redeem,invitation,session,scripted-page}/**/*.{ts,tsx,html}',
];
const NOT_READ = /\.test\.ts$|\.test-support\.ts$|console\/dist/;
/** Rows of tables, pictures, and a single word that is too long, such as a link. */
const UNWRAPPED = /^\||^\s*<|^\s*\S+$|^`\{/;

function strayWords(text: string, file: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (STRAY.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : []));
}

/** Single sign-on is a name of its own, and so is the annotation `auth-signin` of ingress-nginx. */
const STRAY = /(?<!\/auth-|`auth-)\bsign(?:ed|s|ing)?[ -]?(?:in|out)(?![a-z])/i;
const IN_A_TRACKER = /\bissue #?\d/i;
