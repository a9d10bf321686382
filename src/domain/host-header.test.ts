// `--host-header`: what may be written into a Host header, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHostHeader } from './host-header.ts';
import { ServiceError } from './service-error.ts';

test('parseHostHeader(): the word for the target, names and addresses with or without a port', () => {
  for (const text of [
    'target',
    'localhost',
    'localhost:5173',
    'a-b.example.com',
    '127.0.0.1:80',
    '[::1]:3000',
    '[::1]',
  ])
    assert.equal(parseHostHeader(text), text);
  assert.equal(parseHostHeader('App.Example.COM:8080'), 'app.example.com:8080');
  assert.equal(parseHostHeader('0x7f.1:80'), '127.0.0.1:80');
  assert.equal(parseHostHeader('[0::1]'), '[::1]');
});

test('parseHostHeader(): refuses whatever could end the header, or be read as two hosts', () => {
  for (const text of [
    '',
    ' localhost',
    'localhost ',
    'a b',
    'a\r\nX-Evil: 1',
    'a\nb',
    'a\0b',
    'a\tb',
    'a,b',
    'a;b',
    'http://localhost',
    'localhost/',
    'user@host',
    'host:0',
    'host:65536',
    'host:080',
    'host:',
    'host:1:2',
    ':80',
    '*.example.com',
    'bücher.example',
    'a%0d%0ab',
    '[::1',
    '::1',
    '[::1]x',
    '1.2.3.4.5',
    '256.1.1.1',
    'a..b',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}b`,
    'localhost:5173\r\n',
  ])
    assert.throws(
      () => parseHostHeader(text),
      (error) => error instanceof ServiceError && error.code === 'validation_failed',
      JSON.stringify(text),
    );
});
