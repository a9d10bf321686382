import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEVICES, deviceAtHand } from './devices.ts';

test('deviceAtHand() tells the device by what browsers say of themselves', () => {
  const agents: readonly (readonly [id: string, userAgent: string, maxTouchPoints?: number])[] = [
    [
      'windows',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140',
    ],
    [
      'macos',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    ],
    [
      'ios',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
      5,
    ],
    [
      'ios',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
      5,
    ],
    [
      'ios',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 FxiOS/140.0 Safari/605',
      5,
    ],
    [
      'android',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
      5,
    ],
    ['firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['linux', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'],
    ['linux', 'something else'],
  ];
  for (const [id, userAgent, maxTouchPoints = 0] of agents)
    assert.equal(deviceAtHand({ userAgent, maxTouchPoints }), id, userAgent);
});

test('every device has steps, which name the file and the passphrase', () => {
  for (const { id, steps } of DEVICES) {
    assert.ok(
      steps.some((step) => step.includes('FILE')),
      id,
    );
    assert.ok(
      steps.some((step) => step.includes('passphrase')),
      id,
    );
  }
});
