// The console's files, as a browser gets them before anybody has logged in.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createBrowser, type BrowserAnswer } from '../../../test/support/browser-by-hand.ts';
import { startControl, type TestControl } from '../../../test/support/control.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

test('the root leads to the console', async () => {
  const answer = await open('/');
  assert.deepEqual([answer.status, answer.location?.pathname], [302, '/console/']);
});

test('every address below /console is the console’s page, under a policy that runs its own files alone', async () => {
  for (const path of ['/console', '/console/', '/console/shares/wiki', '/console/a/b?c=d']) {
    const { status, headers, body } = await open(path);
    assert.equal(status, 200, path);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /^default-src 'none'; script-src 'self';/);
    // No text becomes markup or code, whatever a script is talked into.
    assert.match(policy, /; require-trusted-types-for 'script'; trusted-types 'none'$/);
    assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=/);
  }
});

test('what the page names is there, for good; other names are not', async () => {
  const { body } = await open('/console/');
  const names = [...body.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
  assert.ok(names.some((name) => name.endsWith('.js')) && names.some((name) => name.endsWith('.css')));
  for (const name of names) {
    const { status, headers } = await open(name);
    assert.equal(status, 200, name);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  }
  for (const name of ['nothing.js', '..%2findex.html', 'constructor'])
    assert.equal((await open(`/console/assets/${name}`)).status, 404, name);
});

test('another host is not answered (DNS rebinding)', async () => {
  for (const path of ['/console/', '/console/assets/nothing.js'])
    assert.equal((await open(path, 'rebound.example')).status, 421, path);
});

function open(path: string, host = control.url.host): Promise<BrowserAnswer> {
  return createBrowser().request(`${control.url.origin}${path}`, { headers: { host, accept: 'text/html' } });
}
