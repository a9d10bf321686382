import { test } from 'node:test';
import assert from 'node:assert/strict';
import { browserHint } from './browser-hint.ts';

test('browserHint() leaves out what only a terminal understands, and keeps the rest', () => {
  for (const hint of [
    'List them with "doorward share list".',
    'Add --require-client-certificate.',
    'Use -f FILE.',
    'On the command line, use a key.',
    '',
    null,
  ])
    assert.equal(browserHint(hint), null, String(hint));
  assert.equal(
    browserHint('Send a client certificate. On the command line, use --cert and --key.'),
    'Send a client certificate.',
  );
  assert.equal(
    browserHint('List them with "doorward provider list". Ask the operator of doorward.yaml.'),
    'Ask the operator of doorward.yaml.',
  );
  assert.equal(browserHint('Use a self-hosted target.'), 'Use a self-hosted target.');
});
