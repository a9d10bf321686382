// The rules of a share one after the other: added, removed, moved. Where the keyboard is stays sensible.

import { useEffect, useId, useRef, useState } from 'react';
import { type RuleEffect } from '../../../../src/domain/access-rule.ts';
import type { Faults } from '../../parts/faults.ts';
import { Icon } from '../../parts/icons.tsx';
import { Words } from '../../parts/words.tsx';
import { useProviderTitles } from '../../parts/use-providers.ts';
import { documentOf, newCondition, newRule, type RuleDraft } from './rule-draft.ts';
import { ruleLine } from '../../../../src/domain/rule-sentence.ts';
import { RuleItem } from './rule-item.tsx';
import { usePlacedFaults } from './use-placed-faults.ts';

type RuleListProps = {
  readonly rules: readonly RuleDraft[];
  readonly change: (rules: readonly RuleDraft[]) => void;
  readonly faults: Faults;
};

type Removed = { readonly rule: RuleDraft; readonly index: number };

export function RuleList({ rules, change, faults }: RuleListProps) {
  const id = useId();
  const { titles, titleOf } = useProviderTitles();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [removed, setRemoved] = useState<Removed | null>(null);
  const [news, setNews] = useState('');
  const focusNext = useFocusNext();
  const found = usePlacedFaults(faults, rules);
  const show = (key: number, isShown: boolean) => {
    const others = [...open].filter((each) => each !== key);
    setOpen(new Set(isShown ? [...others, key] : others));
  };
  const add = (effect: RuleEffect) => {
    const [only, ...more] = titles;
    const first = newCondition(effect === 'allow' ? 'providers' : 'emails');
    const isChosen = effect === 'allow' && only !== undefined && more.length === 0;
    const rule = newRule(effect, [isChosen ? { name: 'providers', lines: only.name } : first]);
    change([...rules, rule]);
    show(rule.key, true);
    setNews(`Rule ${rules.length + 1} added`);
    focusNext(`${id}-${rule.key}-body`);
  };
  const move = (index: number, by: 1 | -1) => {
    const rule = rules[index];
    if (rule === undefined) return;
    const to = index + by;
    change(rules.toSpliced(index, 1).toSpliced(to, 0, rule));
    setNews(`Rule ${index + 1} is rule ${to + 1} now`);
    const isLast = by === 1 ? to === rules.length - 1 : to === 0;
    const way = (by === 1) === isLast ? 'up' : 'down';
    focusNext(`${id}-${rule.key}-${way}`);
  };
  const remove = (index: number) => {
    const rule = rules[index];
    if (rule === undefined) return;
    change(rules.toSpliced(index, 1));
    setRemoved({ rule, index });
    setNews(`Rule ${index + 1} removed`);
    focusNext(`${id}-undo`);
  };
  const undo = ({ rule, index }: Removed) => {
    change(rules.toSpliced(Math.min(index, rules.length), 0, rule));
    setRemoved(null);
    setNews('The rule is back');
    focusNext(`${id}-${rule.key}-edit`);
  };
  return (
    <>
      {found.list !== '' && (
        <p className="fault">
          <Words text={found.list} />
        </p>
      )}
      {rules.length > 0 && (
        <ol className="rule-list">
          {rules.map((rule, index) => (
            <RuleItem
              key={rule.key}
              id={`${id}-${rule.key}`}
              rule={rule}
              place={{ index, isFirst: index === 0, isLast: index === rules.length - 1 }}
              faults={found.of(rule.key)}
              isOpen={open.has(rule.key) || found.of(rule.key) !== null}
              show={(isShown) => show(rule.key, isShown)}
              change={(changed) => change(rules.with(index, changed))}
              move={(by) => move(index, by)}
              remove={() => remove(index)}
            />
          ))}
        </ol>
      )}
      {removed !== null && (
        <p className="rule-removed">
          <span>
            Removed: <s>{ruleLine(documentOf(removed.rule), titleOf)}</s>
          </span>
          <button id={`${id}-undo`} type="button" className="small-button" onClick={() => undo(removed)}>
            Undo
          </button>
        </p>
      )}
      <div className="rule-add">
        <button type="button" onClick={() => add('allow')}>
          <Icon name="plus" />
          Add rule
        </button>
        <button type="button" onClick={() => add('deny')}>
          <Icon name="plus" />
          Add deny rule
        </button>
      </div>
      <p className="unseen" role="status">
        {news}
      </p>
    </>
  );
}

/** Gives the focus to what has this id, or to the first field in it, as soon as it is drawn. */
function useFocusNext(): (id: string) => void {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const place = wanted.current === null ? null : document.getElementById(wanted.current);
    if (place === null) return;
    wanted.current = null;
    (place.matches('button') ? place : place.querySelector<HTMLElement>(FIELDS))?.focus();
  });
  return (id) => {
    wanted.current = id;
  };
}

const FIELDS = '.condition :is(input, textarea, select, button)';
