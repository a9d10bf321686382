import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailLink } from './mail-link.ts';

test('mailLink() keeps each part in its place (RFC 6068 section 5)', () => {
  const subject = 'A & B?';
  const body = 'Open https://control.example.com/redeem#crt_x&y=1\nbefore noon.\n';
  const to = 'ann+x@example.com?bcc=eve@example.com';
  const link = new URL(mailLink({ to, subject, body }));
  assert.equal(decodeURIComponent(link.pathname), to);
  assert.deepEqual([...link.searchParams.keys()], ['subject', 'body']);
  assert.equal(link.searchParams.get('subject'), subject);
  assert.equal(link.searchParams.get('body'), body.replaceAll('\n', '\r\n'));
  assert.equal(link.hash, '');
  assert.match(mailLink({ to: null, subject, body }), /^mailto:\?subject=/);
});
