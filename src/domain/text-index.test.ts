import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTextIndex, numberOf } from './text-index.ts';

test('numberOf() finds each of very many texts, and none that was not added (Very many shares)', () => {
  const texts = Array.from({ length: 5_000 }, (_, n) => `share-${n}.example.com`);
  const growing = createTextIndex();
  for (const [number, text] of texts.entries()) growing.add(text, number);
  const index = growing.index();
  let asked = 0;
  const find = (text: string) => numberOf(index, text, (number) => (asked++, texts[number] === text));
  for (const [number, text] of texts.entries()) assert.equal(find(text), number);
  for (const text of ['', '__proto__', 'share-1.example.co', 'share-5000.example.com', 'ö.example.com'])
    assert.equal(find(text), null, text);
  assert.ok(asked < texts.length + 10, `whoever looks up is asked of little else: ${asked}`);
});

test('numberOf() finds of the numbers with the same text the last that is meant', () => {
  const growing = createTextIndex();
  for (const number of [0, 1, 2]) growing.add('twice', number);
  const index = growing.index();
  assert.equal(
    numberOf(index, 'twice', () => true),
    2,
  );
  assert.equal(
    numberOf(index, 'twice', (number) => number < 2),
    1,
  );
  assert.equal(
    numberOf(index, 'twice', () => false),
    null,
  );
});

test('numberOf() finds the last of very many with the same text, wherever they are', () => {
  for (let times = 1; times < 200; times++) {
    const growing = createTextIndex();
    for (let number = 0; number < times; number++) growing.add('again', number);
    for (const most of [0, Math.floor(times / 2), times - 1])
      assert.equal(
        numberOf(growing.index(), 'again', (number) => number <= most),
        most,
      );
  }
});

test('createTextIndex() puts the same texts elsewhere each time, so that nobody can choose who shares a place', () => {
  assert.notEqual(placed(), placed());
});

function placed(): string {
  const growing = createTextIndex();
  growing.add('a.example.com', 0);
  return growing.index().hashes.join();
}
