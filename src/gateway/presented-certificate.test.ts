import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import { createClientAuthority } from '../../test/support/client-authority.ts';
import { readAuthority, type Authority } from './authority.ts';
import { signerOf } from './presented-certificate.ts';

/** The same authority as another object, and how often its key was asked for. */
function watched(authority: Authority): { readonly authority: Authority; readonly asked: () => number } {
  let asked = 0;
  const copy = Object.defineProperty({ ...authority }, 'publicKey', {
    get: () => {
      asked++;
      return authority.publicKey;
    },
  });
  return { authority: copy, asked: () => asked };
}

function leafOf(issued: { readonly certificate: string }): X509Certificate {
  return new X509Certificate(issued.certificate);
}

test('signerOf() asks the key once for the same certificate, and again for any other (DESIGN "Mutual TLS")', () => {
  const made = createClientAuthority(newId('acc'));
  const { authority, asked } = watched(readAuthority(made.trusted));
  const [one, other] = [made.leaf({ commonName: 'one' }), made.leaf({ commonName: 'other' })];
  for (let n = 0; n < 3; n++) assert.equal(signerOf(leafOf(one), [authority]), authority);
  assert.equal(asked(), 1);
  assert.equal(signerOf(leafOf(other), [authority]), authority);
  assert.equal(asked(), 2);
});

test('signerOf() believes no memory of an authority that counts no more, or not here (DESIGN "Mutual TLS")', () => {
  const made = createClientAuthority(newId('acc'), { name: 'Same name' });
  const stranger = readAuthority(createClientAuthority(newId('acc'), { name: 'Same name' }).trusted);
  const authority = readAuthority(made.trusted);
  const leaf = leafOf(made.leaf({ commonName: 'one' }));
  assert.equal(signerOf(leaf, [stranger, authority]), authority);
  assert.equal(signerOf(leaf, []), undefined);
  assert.equal(signerOf(leaf, [stranger]), undefined);
  const again = readAuthority(made.trusted);
  assert.equal(signerOf(leaf, [stranger, again]), again);
});
