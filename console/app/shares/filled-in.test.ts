import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filledIn } from './filled-in.ts';

const ROOT = join(import.meta.dirname, '../../..');

test('filledIn() puts the share’s host, and the login beside it, into each example (DESIGN "Forward-auth")', () => {
  const files = globSync('examples/forward-auth/*/*.{conf,cfg,lua,yaml}', { cwd: ROOT }).concat(
    'examples/forward-auth/caddy/Caddyfile',
  );
  assert.ok(files.length >= 7);
  for (const file of files) {
    const text = filledIn(readFileSync(join(ROOT, file), 'utf8'), 'https://wiki.apps.corp.test:8443');
    assert.doesNotMatch(text, /example\.com/, file);
    if (/nginx|Caddyfile|dynamic|envoy|cfg/.test(file)) {
      assert.match(text, /wiki\.apps\.corp\.test/, file);
      assert.match(text, /login\.apps\.corp\.test/, file);
    }
  }
});
