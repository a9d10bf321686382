import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

const PAGES = [
  { path: '/redeem', files: '/redeem/files', title: 'Get your certificate' },
  { path: '/auth/invitation', files: '/auth/invitation/files', title: 'Accept your invitation' },
];

test('scriptedPage() gives every page one head and one sheet before its own (DESIGN 4)', async () => {
  const shared = source('scripted-page/page.css');
  const heads = new Set<string>();
  for (const { path, files, title } of PAGES) {
    const page = await read(path);
    const [head = ''] = page.body.split('<main>');
    assert.match(head, new RegExp(`<title>${title} – Test</title>`));
    assert.doesNotMatch(page.body, /<!--/);
    assert.match(page.body, /<h1 id="title"[\s\S]*<\/main>\s*<footer>/);
    heads.add(withoutOwn(head, { files, title }));
    const sheet = await read(`${files}/page.css`);
    assert.ok(sheet.body.includes(shared), path);
  }
  assert.equal(heads.size, 1);
  const rules = rulesOf(shared);
  assert.ok(rules.length > 10);
  assert.deepEqual(
    rulesOf(source('redeem/page.css')).filter((rule) => rules.includes(rule)),
    [],
    'what every page has is written once',
  );
});

test('scriptedPage() and the console have one policy, but for where images come from (CSP Level 3)', async () => {
  const policies = await Promise.all(
    [...PAGES.map(({ path }) => path), '/console/'].map(async (path) => {
      const { policy } = await read(path);
      return policy.replace(/img-src [^;]*/, 'img-src');
    }),
  );
  assert.equal(new Set(policies).size, 1);
  assert.match(policies[0] ?? '', /^default-src 'none'; script-src 'self'; .*trusted-types 'none'$/);
});

async function read(path: string) {
  const answer = await fetch(new URL(path, control.url), { headers: { accept: 'text/html' } });
  assert.equal(answer.status, 200, path);
  return { body: await answer.text(), policy: answer.headers.get('content-security-policy') ?? '' };
}

function source(path: string): string {
  return readFileSync(new URL(`../../../console/${path}`, import.meta.url), 'utf8');
}

/** The modules that a page loads are its own, too. */
function withoutOwn(head: string, { files, title }: { readonly files: string; readonly title: string }) {
  const lines = head.split('\n').filter((line) => !/modulepreload|<script/.test(line));
  return lines.join('\n').replaceAll(files, '').replaceAll(title, '');
}

/** Each with its selector. */
function rulesOf(sheet: string): readonly string[] {
  return [...sheet.matchAll(/^[^@{}\n][^{}]*\{[^{}]*\}/gm)].map(([rule]) => rule);
}
