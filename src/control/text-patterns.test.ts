import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration } from '../domain/duration.ts';
import { parseNewEmailGlob } from '../domain/email-pattern-syntax.ts';
import { requireTextGlob } from '../domain/text-glob.ts';
import { DURATION, DURATION_OR_NONE, EMAIL_GLOB, GLOB } from './text-patterns.ts';

/** What the reader takes, its pattern takes. */
function hold(pattern: string, read: (text: string) => unknown, texts: readonly string[]): readonly string[] {
  const isGood = (text: string) => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
  const shape = new RegExp(pattern, 'u');
  for (const text of texts.filter(isGood)) assert.match(text, shape);
  return texts.filter((text) => shape.test(text));
}

test('the pattern of durations takes what is one, and refuses what is written otherwise', () => {
  const good = ['6h', '1h30m', '90s', '30d', '1d2h3m4s'];
  const bad = ['', '6', 'h', '30m1h', '1h 30m', '-1h', '1.5h', '6hours', 'none'];
  assert.deepEqual(hold(DURATION, parseDuration, [...good, ...bad]), good);
  assert.deepEqual(hold(DURATION_OR_NONE, parseDuration, ['none', '7d', '', 'nonesuch']), ['none', '7d']);
});

test('the patterns of globs take every glob, and refuse what is none', () => {
  const emails = ['*@example.com', 'ann@*', '?[a-z]{x,y}@b.example', '\\*@b.example', '[^a]@x.example'];
  assert.deepEqual(hold(EMAIL_GLOB, parseNewEmailGlob, [...emails, '', 'a b@example.com', '\t']), emails);
  const names = ['build-*.ci', '?', 'a\\*', 'Sales & more'];
  assert.deepEqual(hold(GLOB, requireTextGlob, [...names, '', 'a\\']), names);
});
