import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import { randomToken } from '../domain/secret.ts';
import { insideCertificateText, readInsideCertificate } from './inside-certificate.ts';

const secret = randomToken();
const held = { authorityId: newId('aca'), fingerprint: 'ab'.repeat(32) };

test('readInsideCertificate() reads what this process wrote (DESIGN "Mutual TLS")', () => {
  for (const each of [held, { ...held, authorityId: null }])
    assert.deepEqual(readInsideCertificate(secret, insideCertificateText(secret, each)), each);
});

test('readInsideCertificate() takes anything else for no certificate (THREATS "Header smuggling")', () => {
  const text = insideCertificateText(secret, held);
  const others = [
    null,
    '',
    insideCertificateText(randomToken(), held),
    text.slice(secret.length),
    text.slice(secret.length + 1),
    ` ${text}`,
    `${text} `,
    `${text}, ${text}`,
    `${secret} ${held.fingerprint}`,
    `${secret}  ${held.fingerprint}`,
    text.slice(0, -1),
    text.toUpperCase(),
  ];
  for (const other of others) assert.equal(readInsideCertificate(secret, other), null, String(other));
});
