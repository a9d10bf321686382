import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NOWHERE, Roster } from './roster.ts';

type Member = { readonly name: number; seat: number };

function namesIn(roster: Roster<Member>): readonly number[] {
  const names: number[] = [];
  roster.forEach(({ name }) => names.push(name));
  return names.toSorted((a, b) => a - b);
}

test('Roster holds what a Set would hold after any comings and goings', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(9)), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (taken) => {
      const roster = new Roster<Member>();
      const all = Array.from({ length: 10 }, (_, name): Member => ({ name, seat: NOWHERE }));
      const wanted = new Set<number>();
      for (const [comes, name] of taken) {
        roster[comes ? 'add' : 'remove'](all[name]!);
        wanted[comes ? 'add' : 'delete'](name);
        assert.equal(roster.size, wanted.size);
      }
      assert.deepEqual(
        namesIn(roster),
        [...wanted].toSorted((a, b) => a - b),
      );
      for (const { name, seat } of all) assert.equal(seat >= 0, wanted.has(name));
    }),
  );
});

test('Roster.forEach() passes over those who left before their turn, and takes in none who came', () => {
  const roster = new Roster<Member>();
  const all = Array.from({ length: 4 }, (_, name): Member => ({ name, seat: NOWHERE }));
  for (const member of all.slice(0, 3)) roster.add(member);
  const seen: number[] = [];
  roster.forEach((member) => {
    seen.push(member.name);
    for (const other of all.slice(0, 3)) if (other !== member) roster.remove(other);
    roster.add(all[3]!);
  });
  assert.equal(seen.length, 1);
  assert.deepEqual(namesIn(roster), [seen[0], 3]);
});
