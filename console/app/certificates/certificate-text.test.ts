import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileNameOf, inPairs, shownState, subjectText } from './certificate-text.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-05-01T00:00:00Z');

test('shownState() tells what is over soon by the length of its life', () => {
  assert.equal(lived(90, 8), 'active');
  assert.equal(lived(90, 6), 'soon');
  assert.equal(lived(10, 2), 'active');
  assert.equal(lived(10, 0.5), 'soon');
  assert.equal(lived(90, 6, 'revoked'), 'revoked');
  assert.equal(lived(90, -1, 'expired'), 'expired');
  // The list was read before it was over.
  assert.equal(lived(90, -1), 'expired');
});

test('inPairs() writes a fingerprint as openssl does', () => {
  assert.equal(inPairs('0a1bff'), '0A:1B:FF');
  assert.equal(inPairs(''), '');
});

test('subjectText() keeps a value from looking like another attribute (RFC 4514 section 2.4)', () => {
  const none = { organization: null, organizationalUnit: null, emailAddress: null };
  assert.equal(subjectText({ ...none, commonName: 'ann' }), 'CN=ann');
  assert.equal(
    subjectText({ ...none, commonName: 'ann, O=Other', organizationalUnit: '#1', organization: 'A+B ' }),
    'CN=ann\\, O\\=Other, OU=\\#1, O=A\\+B\\ ',
  );
});

test('fileNameOf() leaves nothing that a system could take for a path', () => {
  assert.equal(fileNameOf('Žofie’s laptop'), 'Z-ofie-s-laptop');
  assert.equal(fileNameOf('../../etc/passwd'), 'etc-passwd');
  assert.equal(fileNameOf('<img>'), 'img');
  assert.equal(fileNameOf('😀'), 'certificate');
  assert.equal(fileNameOf('x'.repeat(300)).length, 60);
});

function lived(days: number, leftDays: number, state: 'living' | 'revoked' | 'expired' = 'living') {
  return shownState(
    {
      state,
      notBefore: new Date(NOW + (leftDays - days) * DAY_MS).toISOString(),
      notAfter: new Date(NOW + leftDays * DAY_MS).toISOString(),
    },
    NOW,
  );
}
