import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import { everyPartOf, partsOf } from './words.ts';

test('partsOf() keeps few parts of what each event has its own of: ids, actors, times', () => {
  const id = newId('crq');
  const start = id.slice(0, 12);
  assert.deepEqual(partsOf(id), [start]);
  assert.deepEqual(partsOf(`certificate-request-token:${id}`), [
    'certificate-',
    'request-toke',
    `token:${id.slice(0, 6)}`,
    start,
  ]);
  assert.deepEqual(partsOf('2026-11-23t17:04:59.000z'), ['2026-11-23t1', '17:04:59.000']);
  assert.deepEqual(partsOf('abc'), ['abc', 'bc', 'c']);
});

test('everyPartOf() has all that partsOf() keeps, so that a word that goes leaves none behind', () => {
  for (const word of [
    `api-key:${newId('key')}`,
    '2026-11-23t17:04:59.000z',
    newId('req'),
    'ann@corp.example',
  ])
    assert.deepEqual(
      partsOf(word).filter((part) => !everyPartOf(word).includes(part)),
      [],
    );
});
