import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopbackName } from './host-name.ts';
import { plainHost, portOf, reachableHost } from './url-place.ts';

test('portOf() is the port that is written, or the scheme’s own', () => {
  const ports = {
    'http://a': 80,
    'http://a:80': 80,
    'https://a': 443,
    'https://a:80': 80,
    'http://a:8080': 8080,
  };
  for (const [url, port] of Object.entries(ports)) assert.equal(portOf(new URL(url)), port, url);
});

test('plainHost() and reachableHost() name a host as connections are told it', () => {
  assert.deepEqual(['[::1]', 'a.example', '10.0.0.1'].map(plainHost), ['::1', 'a.example', '10.0.0.1']);
  assert.deepEqual(['app.share.localhost', 'localhost', 'localhost.example', '[::1]'].map(reachableHost), [
    'localhost',
    'localhost',
    'localhost.example',
    '::1',
  ]);
});

test('reachableHost() sends no name to DNS that counts as this machine, a dot at its end or none', () => {
  for (const name of ['localhost', 'localhost.', 'a.localhost', 'a.localhost.'])
    assert.deepEqual([isLoopbackName(name), reachableHost(name)], [true, 'localhost'], name);
  for (const name of ['notlocalhost', 'localhost.example', 'localhost.example.'])
    assert.deepEqual([isLoopbackName(name), reachableHost(name)], [false, name], name);
});
