import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typedTarget } from './typed-target.ts';

test('typedTarget() takes a port, an address without a scheme, and what a browser shows', () => {
  const typed = {
    3000: 'http://localhost:3000',
    ' localhost:3000 ': 'http://localhost:3000',
    '10.0.0.5:8080': 'http://10.0.0.5:8080',
    'http://10.0.0.5:8080/': 'http://10.0.0.5:8080',
    'https://wiki.internal': 'https://wiki.internal',
    'ftp://wiki.internal': 'ftp://wiki.internal',
    'http://wiki.internal/page': 'http://wiki.internal/page',
    '': '',
  };
  for (const [text, target] of Object.entries(typed)) assert.equal(typedTarget(text), target);
});
