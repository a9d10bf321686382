import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAppImage, MAX_APP_ICON_LENGTH, parseAppIcon } from './app-icon.ts';
import { imageUrl } from './image-url.ts';

test('parseAppIcon() takes signs, letters as people count them, and small images', () => {
  const image = imageUrl('logo.svg', Buffer.alloc(4096, 'a').toString('base64')) ?? '';
  for (const icon of ['globe', 'W', 'Wi', 'Ä', '猫', '👨‍👩‍👧‍👦', '1', image])
    assert.equal(parseAppIcon(icon), icon);
  assert.ok(isAppImage(image) && image.length <= MAX_APP_ICON_LENGTH);
});

test('parseAppIcon() takes no address: nobody else is to learn who looks at their apps (THREATS "Outbound")', () => {
  const tooLarge = imageUrl('logo.png', Buffer.alloc(4097).toString('base64')) ?? '';
  for (const icon of [
    'https://tracker.example/pixel.png',
    '//tracker.example/a.svg',
    'http://a/b.png',
    'javascript:alert(1)',
    'data:text/html;base64,PGI+',
    'data:image/svg+xml,<svg/>',
    tooLarge,
    'abc',
    '',
    ' ',
    '\u202Ea',
    'a\nb',
    '\u0000',
    `a${'\u0301'.repeat(40)}`,
  ])
    assert.throws(() => parseAppIcon(icon), { code: 'validation_failed' }, JSON.stringify(icon));
});
