// What the service found wrong, held at the rules that it judged: they may be moved meanwhile.

import { useState } from 'react';
import type { Faults } from '../../parts/faults.ts';
import type { RuleDraft } from './rule-draft.ts';
import { type RuleFaults, rulesFaults } from './rule-faults.ts';

type Placed = {
  readonly said: string;
  readonly list: string;
  readonly at: ReadonlyMap<number, RuleFaults>;
};

export function usePlacedFaults(faults: Faults, rules: readonly RuleDraft[]) {
  const said = JSON.stringify(Object.entries(faults).filter(([path]) => /^rules(?:\.|$)/.test(path)));
  const [placed, place] = useState<Placed>(NONE);
  if (placed.said !== said) {
    const { list, rules: found } = rulesFaults(faults);
    const at = new Map(
      [...found].flatMap(([index, fault]) => {
        const key = rules[index]?.key;
        return key === undefined ? [] : [[key, fault] as const];
      }),
    );
    place({ said, list, at });
  }
  return {
    list: placed.list,
    of: (key: number): RuleFaults | null => placed.at.get(key) ?? null,
  };
}

const NONE: Placed = { said: '[]', list: '', at: new Map() };
