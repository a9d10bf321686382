// One condition of a rule, with the field that its kind needs.

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Field, type FieldControl } from '../../parts/field.tsx';
import { Icon } from '../../parts/icons.tsx';
import { ClaimsField } from './claims-field.tsx';
import { type ConditionKind, kindOf } from './condition-kinds.ts';
import { MethodsCondition, ProvidersCondition } from './condition-boxes.tsx';
import type { ConditionDraft } from './rule-draft.ts';
import { UntilField } from './until-field.tsx';

type ConditionFieldProps = {
  readonly condition: ConditionDraft;
  readonly fault: string | undefined;
  /** Just now, so that it is filled in next. */
  readonly isAdded: boolean;
  readonly change: (condition: ConditionDraft) => void;
  readonly remove: () => void;
};

export function ConditionField({ condition, fault, isAdded, change, remove }: ConditionFieldProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isAdded) place.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  }, [isAdded]);
  const kind = kindOf(condition.name);
  return (
    <div ref={place} className="condition">
      <div className="condition-fields">{fieldsOf({ condition, kind, fault, change })}</div>
      <button
        type="button"
        className="quiet small-button rule-action"
        aria-label={`Remove ${kind.label}`}
        title={`Remove ${kind.label}`}
        onClick={remove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

type FieldsProps = Pick<ConditionFieldProps, 'condition' | 'fault' | 'change'> & {
  readonly kind: ConditionKind;
};

function fieldsOf({ condition, kind, fault, change }: FieldsProps): ReactNode {
  const { label, help } = kind;
  switch (condition.name) {
    case 'everyone':
      return (
        <Worded label={label} help={help} fault={fault}>
          {null}
        </Worded>
      );
    case 'providers':
      return (
        <ProvidersCondition
          kind={kind}
          fault={fault}
          list={condition}
          change={(list) => change({ name: condition.name, ...list })}
        />
      );
    case 'methods':
      return (
        <MethodsCondition
          kind={kind}
          fault={fault}
          list={condition}
          change={(list) => change({ name: condition.name, ...list })}
        />
      );
    case 'claims':
      return (
        <Worded label={label} help={help} fault={fault}>
          <ClaimsField claims={condition.claims} change={(claims) => change({ ...condition, claims })} />
        </Worded>
      );
    case 'certificate':
      return (
        <Worded label={label} help={help} fault={fault}>
          <div className="condition-pair">
            <Field label="Common name">
              {(control) => (
                <Line
                  control={control}
                  placeholder="build-*.ci"
                  text={condition.subject}
                  change={(subject) => change({ ...condition, subject })}
                />
              )}
            </Field>
            <Field label="Organizational unit">
              {(control) => (
                <Line
                  control={control}
                  text={condition.unit}
                  change={(unit) => change({ ...condition, unit })}
                />
              )}
            </Field>
          </div>
        </Worded>
      );
    case 'until':
      return (
        <Worded label={label} help={help} fault={fault}>
          <UntilField text={condition.text} change={(text) => change({ ...condition, text })} />
        </Worded>
      );
    case 'max_age':
      return (
        <Field label={label} help={help} fault={fault}>
          {(control) => (
            <Line
              control={control}
              placeholder={kind.placeholder}
              text={condition.text}
              change={(text) => change({ ...condition, text })}
            />
          )}
        </Field>
      );
    default:
      return (
        <Field label={label} help={help} fault={fault}>
          {(control) => (
            <textarea
              {...control}
              rows={Math.min(MOST_ROWS, Math.max(LEAST_ROWS, condition.lines.split('\n').length))}
              spellCheck={false}
              autoCapitalize="off"
              placeholder={kind.placeholder}
              value={condition.lines}
              onChange={(event) => change({ ...condition, lines: event.target.value })}
            />
          )}
        </Field>
      );
  }
}

type WordedProps = Pick<ConditionKind, 'label' | 'help'> & {
  readonly fault: string | undefined;
  readonly children: ReactNode;
};

/** What has several fields, or none. */
function Worded({ label, help, fault, children }: WordedProps) {
  const id = useId();
  return (
    <div className="field" role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-help`}>
      <span id={`${id}-label`} className="label">
        {label}
      </span>
      {children}
      <p id={`${id}-help`} className="soft">
        {help}
        {fault !== undefined && <strong className="fault"> {fault}</strong>}
      </p>
    </div>
  );
}

type LineProps = {
  readonly control: FieldControl;
  readonly placeholder?: string | undefined;
  readonly text: string;
  readonly change: (text: string) => void;
};

function Line({ control, placeholder, text, change }: LineProps) {
  return (
    <input
      {...control}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      placeholder={placeholder}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  );
}

const LEAST_ROWS = 2;
const MOST_ROWS = 10;
