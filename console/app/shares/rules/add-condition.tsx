// The menu of conditions that a rule does not have yet. It opens in place: nothing covers what it is about.

import { type KeyboardEvent, useRef, useState } from 'react';
import type { ConditionName, RuleEffect } from '../../../../src/domain/access-rule.ts';
import { Icon } from '../../parts/icons.tsx';
import { addableGroups } from './condition-kinds.ts';

type AddConditionProps = {
  /** Of the button that opens it. */
  readonly id: string;
  readonly effect: RuleEffect;
  readonly has: readonly ConditionName[];
  readonly add: (name: ConditionName) => void;
};

export function AddCondition({ id, effect, has, add }: AddConditionProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const groups = addableGroups(effect, has);
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div className="add-condition" onKeyDown={close}>
      <button
        ref={opener}
        id={id}
        type="button"
        className="small-button"
        aria-expanded={isOpen}
        aria-controls={`${id}-menu`}
        disabled={groups.length === 0}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="plus" />
        Add condition
      </button>
      <div id={`${id}-menu`} className="condition-menu" hidden={!isOpen}>
        {groups.map(({ title, kinds }) => (
          <div key={title} role="group" aria-label={title}>
            <span className="soft" aria-hidden="true">
              {title}
            </span>
            {kinds.map(({ name, label }) => (
              <button
                key={name}
                type="button"
                className="small-button"
                onClick={() => {
                  setOpen(false);
                  add(name);
                }}
              >
                {label}
              </button>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}
