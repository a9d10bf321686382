import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageUrl } from './image-url.ts';
import { appearanceOf } from './provider-appearance.ts';
import {
  isDisplayName,
  isProviderIcon,
  MAX_ICON_BYTES,
  MAX_ICON_LENGTH,
  PROVIDER_ICONS,
} from './provider-icon.ts';

const ofBytes = (length: number, name = 'icon.png') =>
  imageUrl(name, Buffer.alloc(length, 7).toString('base64')) ?? assert.fail();

const shown = (name: string, type: 'google' | 'oidc', displayName: string | null = null) =>
  appearanceOf({ name, type, displayName, icon: null }).displayName;

test('isProviderIcon() takes the names of icons, and images of known types up to the limit', () => {
  for (const icon of PROVIDER_ICONS) assert.ok(isProviderIcon(icon), icon);
  for (const name of ['a.svg', 'a.png', 'a.JPG', 'a.jpeg', 'a.webp'])
    assert.ok(isProviderIcon(ofBytes(10, name)), name);
  for (const length of [1, 2, 3, MAX_ICON_BYTES]) assert.ok(isProviderIcon(ofBytes(length)), String(length));
  assert.ok(ofBytes(MAX_ICON_BYTES, 'a.svg').length <= MAX_ICON_LENGTH);
});

test('isProviderIcon() refuses larger images, other types, other addresses, and what is no base64', () => {
  const refused = [
    ofBytes(MAX_ICON_BYTES + 1),
    'data:image/png;base64,',
    'data:image/gif;base64,AAAA',
    'data:text/html;base64,AAAA',
    'data:image/svg+xml,<svg/>',
    'data:image/png;base64,AAA',
    'data:image/png;base64,AA"A',
    'data:image/png;base64,AAAA\n',
    'https://example.com/icon.png',
    'javascript:alert(1)',
    'google',
    '',
  ];
  for (const text of refused) assert.ok(!isProviderIcon(text), text.slice(0, 60));
  assert.equal(imageUrl('icon.html', 'AAAA'), null);
});

test('isDisplayName() takes a line that can be read, and no marks that turn the direction of text', () => {
  for (const name of ['Google', 'Acme & Söhne <IT>', 'שלום', '谷歌', '4', 'x'.repeat(60)])
    assert.ok(isDisplayName(name), name);
  const refused = [
    '',
    ' ',
    ' Google',
    'a\nb',
    'a\u0000',
    'a\u202Eb',
    'a\u2066b',
    '\u200B',
    '…',
    'x'.repeat(61),
  ];
  for (const name of refused) assert.ok(!isDisplayName(name), JSON.stringify(name));
});

test('appearanceOf() has a title for providers named as their type, and else their name', () => {
  assert.equal(shown('google', 'google'), 'Google');
  assert.equal(shown('google-partners', 'google'), 'google-partners');
  assert.equal(shown('sso', 'oidc'), 'sso');
  assert.equal(shown('google', 'google', 'Staff'), 'Staff');
});
