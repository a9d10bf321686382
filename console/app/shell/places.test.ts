import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findPlaces } from './places.ts';

const place = (title: string) => ({ title });
const PLACES = ['Shares', 'wiki', 'team-wiki', 'grafana'].map(place);
const titles = (text: string) => findPlaces(PLACES, text).map(({ title }) => title);

test('findPlaces() finds by any part of a name, without regard to case', () => {
  assert.deepEqual(titles('WIK'), ['wiki', 'team-wiki']);
  assert.deepEqual(titles(' wiki  team '), ['team-wiki']);
  assert.deepEqual(titles('nothing of the kind'), []);
});

test('findPlaces() puts first what begins with the text, and shows everything for none', () => {
  assert.deepEqual(
    findPlaces([place('my-app'), place('app')], 'app').map(({ title }) => title),
    ['app', 'my-app'],
  );
  assert.deepEqual(
    titles('  '),
    PLACES.map(({ title }) => title),
  );
});

test('findPlaces() shows no more than fits', () => {
  assert.equal(
    findPlaces(
      Array.from({ length: 200 }, (_, index) => place(`s${index}`)),
      's',
    ).length,
    16,
  );
});
