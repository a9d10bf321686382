// docs/reference/applications-and-browsers.md says what the code does: every header, cookie, address and
// error that the code has a name for is in it, and what it says of errors and globs is so.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileEmailPattern } from '../../src/domain/email-pattern.ts';
import { FAULTS } from '../../src/domain/service-error.ts';
import { BINDING_COOKIE } from '../../src/gateway/binding.ts';
import { ADDRESS_COOKIE } from '../../src/gateway/kept-address.ts';
import { CHOOSER_PATH, LOGGED_OUT_PATH } from '../../src/login/login-url.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('docs/reference/applications-and-browsers.md');

function missing(names: readonly string[]): readonly string[] {
  assert.ok(names.length > 0, 'the code has names');
  return names.filter((name) => !page.includes(name));
}

function found(file: string, pattern: RegExp): readonly string[] {
  return [...read(file).matchAll(pattern)].map(([, name = '']) => name);
}

test('every header that the gateway writes is on the page (2.6)', () => {
  const written = found('src/gateway/identity-headers.ts', /`\$\{prefix\}([a-z-]+)`/g);
  const identity = [...new Set(written)];
  assert.equal(identity.length, 8);
  assert.deepEqual(missing(identity.map((name) => `\`svc-auth-${name}\``)), []);
  const forwarding = found('src/gateway/forwarding-headers.ts', /^ {4}'(X-[A-Za-z-]+)',$/gm);
  assert.equal(forwarding.length, 6);
  assert.deepEqual(missing(forwarding.map((name) => `\`${name}\``)), []);
});

test('every claim of the assertion is on the page (2.6)', () => {
  const claims =
    /return \{\n {4}iss(.*?)\n\}\n\nfunction certificateClaim/s.exec(read('src/gateway/assertion.ts'))?.[0] ??
    '';
  const names = [...claims.matchAll(/(?<![\w.])([a-z]{3,8}):/g)].map(([, name = '']) => name);
  const claimed = [...new Set(names)].filter((name) => name !== 'cert');
  assert.ok(claimed.length >= 8, claimed.join());
  assert.deepEqual(missing([...claimed, 'cert'].map((name) => `\`${name}\``)), []);
});

test('every cookie that the code sets is on the page (2.5)', () => {
  const files = globSync('src/{login,gateway}/*.ts', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  );
  const named = files.flatMap((file) => found(file, /_COOKIE = '(?:__Host-)?([a-z-]+?)-?';/g));
  assert.ok(named.length >= 5, named.join());
  assert.deepEqual(missing([...named, BINDING_COOKIE, ADDRESS_COOKIE, 'svc-auth-session']), []);
});

test('every address of the OAuth frontend and below /.svc/ is on the page (4.1, 4.2)', () => {
  const [flows = ''] = found('src/login/login.ts', /const ROUTE =\s+.*\/\((.*)\)\$\/;$/gm);
  const paths = flows.split('|').map((flow) => `/<name>/${flow.replaceAll('\\/', '/')}`);
  assert.equal(paths.length, 7);
  assert.deepEqual(missing([...paths, LOGGED_OUT_PATH, CHOOSER_PATH, '/.well-known/jwks.json']), []);
  const files = globSync('src/{login,gateway,domain}/*.ts', { cwd: root });
  const own = files
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) => found(file, /'(\/\.svc\/[a-z.]+)'/g));
  assert.ok(new Set(own).size >= 3, own.join());
  assert.deepEqual(missing(own), []);
});

test('every error on the page has the status that the page says (7)', () => {
  const rows = [...page.matchAll(/^\| ([\d, ]+) \| (`[a-z_`, …]+) \|/gm)];
  assert.ok(rows.length > 8);
  for (const [, statuses = '', codes = ''] of rows) {
    const allowed = new Set(statuses.split(', ').map(Number));
    for (const [, code = ''] of codes.matchAll(/`([a-z_]+)`/g)) {
      assert.ok(Object.hasOwn(FAULTS, code), code);
      assert.ok(allowed.has(FAULTS[code as keyof typeof FAULTS].status), `${code} is no ${statuses}`);
    }
  }
});

test('globs match as the page says: [^…] negates (2.3)', () => {
  const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      '*@example.com',
      ['ann@example.com', 'ANN@Example.com'],
      ['ann@example.com.evil.test', 'ann@b.example.com'],
    ],
    ['ann@*', ['ann@a.test'], ['joann@a.test']],
    ['*@{first,second}.example', ['a@first.example', 'a@second.example'], ['a@third.example']],
    ['[^x]*@example.com', ['ann@example.com'], ['xan@example.com']],
    ['[!x]*@example.com', ['ann@example.com'], ['xan@example.com']],
    ['a?n@example.com', ['ann@example.com'], ['an@example.com']],
  ];
  for (const [pattern, matching, others] of rows) {
    const { matches } = compileEmailPattern(pattern);
    for (const email of matching) assert.equal(matches(email), true, `${pattern} ${email}`);
    for (const email of others) assert.equal(matches(email), false, `${pattern} ${email}`);
    if (!pattern.startsWith('[!') && !pattern.includes('?'))
      assert.ok(page.includes(`\`${pattern}\``), pattern);
  }
  for (const refused of ['', 'a,b@c.d', '[a@b.c']) assert.throws(() => compileEmailPattern(refused), refused);
});
