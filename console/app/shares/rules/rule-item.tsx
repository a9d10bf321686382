// One rule: its sentence, what can be done with it, and its conditions while it is open.

import { useState } from 'react';
import type { ConditionName, RuleEffect } from '../../../../src/domain/access-rule.ts';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { Words } from '../../parts/words.tsx';
import { useProviderTitles } from '../../parts/use-providers.ts';
import { AddCondition } from './add-condition.tsx';
import { ConditionField } from './condition-field.tsx';
import { CONDITION_KINDS, needsProviders } from './condition-kinds.ts';
import { documentOf, newCondition, type RuleDraft } from './rule-draft.ts';
import type { RuleFaults } from './rule-faults.ts';
import { ruleSentence } from '../../../../src/domain/rule-sentence.ts';

type RuleItemProps = {
  /** What the ids of its parts begin with. */
  readonly id: string;
  readonly rule: RuleDraft;
  readonly place: { readonly index: number; readonly isFirst: boolean; readonly isLast: boolean };
  readonly faults: RuleFaults | null;
  readonly isOpen: boolean;
  readonly show: (isShown: boolean) => void;
  readonly change: (rule: RuleDraft) => void;
  readonly move: (by: 1 | -1) => void;
  readonly remove: () => void;
};

export function RuleItem({ id, rule, place, faults, isOpen, show, change, move, remove }: RuleItemProps) {
  const { titleOf } = useProviderTitles();
  const { lead, text } = ruleSentence(documentOf(rule), titleOf);
  const name = `rule ${place.index + 1}`;
  const act = (part: string, icon: IconName, label: string) => ({ id: `${id}-${part}`, icon, label });
  return (
    <li className="rule" data-effect={rule.effect} data-wrong={faults !== null}>
      <div className="rule-head">
        <p id={`${id}-sentence`} className="rule-sentence">
          <span className="rule-number">
            <span className="unseen">Rule </span>
            {place.index + 1}
          </span>
          <span>
            <strong>{lead}:</strong> {text}
          </span>
        </p>
        <div className="rule-actions">
          <button
            id={`${id}-edit`}
            type="button"
            className="small-button"
            aria-label={`${isOpen ? 'Close' : 'Edit'} ${name}`}
            aria-expanded={isOpen}
            aria-describedby={`${id}-sentence`}
            // What is wrong with it stays in sight.
            disabled={faults !== null}
            onClick={() => show(!isOpen)}
          >
            {isOpen ? 'Close' : 'Edit'}
          </button>
          <Action {...act('up', 'up', `Move ${name} up`)} off={place.isFirst} run={() => move(-1)} />
          <Action {...act('down', 'down', `Move ${name} down`)} off={place.isLast} run={() => move(1)} />
          <Action {...act('remove', 'close', `Remove ${name}`)} off={false} run={remove} />
        </div>
      </div>
      {faults?.rule !== undefined && (
        <p className="fault">
          <Words text={faults.rule} />
        </p>
      )}
      {isOpen && (
        <div id={`${id}-body`} className="rule-body" role="group" aria-label={`Rule ${place.index + 1}`}>
          <RuleBody id={id} rule={rule} change={change} faults={faults} />
        </div>
      )}
    </li>
  );
}

type ActionProps = {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly off: boolean;
  readonly run: () => void;
};

function Action({ id, icon, label, off, run }: ActionProps) {
  return (
    <button
      id={id}
      type="button"
      className="quiet small-button rule-action"
      aria-label={label}
      title={label}
      disabled={off}
      onClick={run}
    >
      <Icon name={icon} />
    </button>
  );
}

function RuleBody({ id, rule, change, faults }: Pick<RuleItemProps, 'id' | 'rule' | 'change' | 'faults'>) {
  const [added, setAdded] = useState<ConditionName | null>(null);
  const { effect } = rule;
  // In the order of the menu: first who, then where and when.
  const conditions = CONDITION_KINDS.flatMap(({ name }) =>
    rule.conditions.filter((each) => each.name === name),
  );
  const has = conditions.map(({ name }) => name);
  const add = (name: ConditionName) => {
    const isLacking = needsProviders(effect, name) && !has.includes('providers');
    const more = [name, ...(isLacking ? (['providers'] as const) : [])].map(newCondition);
    change({ ...rule, conditions: [...conditions, ...more] });
    setAdded(name);
  };
  return (
    <>
      <EffectChoice name={`${id}-effect`} effect={effect} choose={(to) => change({ ...rule, effect: to })} />
      {conditions.map((condition, index) => (
        <ConditionField
          key={condition.name}
          condition={condition}
          fault={faults?.[condition.name]}
          isAdded={condition.name === added}
          change={(to) => change({ ...rule, conditions: conditions.with(index, to) })}
          remove={() => {
            change({ ...rule, conditions: conditions.toSpliced(index, 1) });
            document.getElementById(`${id}-add`)?.focus();
          }}
        />
      ))}
      <AddCondition id={`${id}-add`} effect={effect} has={has} add={add} />
    </>
  );
}

type EffectChoiceProps = {
  readonly name: string;
  readonly effect: RuleEffect;
  readonly choose: (effect: RuleEffect) => void;
};

function EffectChoice({ name, effect, choose }: EffectChoiceProps) {
  return (
    <fieldset className="rule-effect">
      <legend className="unseen">What the rule does</legend>
      {EFFECTS.map(({ value, title }) => (
        <label key={value} className="check">
          <input type="radio" name={name} checked={value === effect} onChange={() => choose(value)} />
          {title}
        </label>
      ))}
    </fieldset>
  );
}

const EFFECTS = [
  { value: 'allow', title: 'Let in' },
  { value: 'deny', title: 'Deny' },
] as const;
