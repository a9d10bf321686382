// Conditions of which people choose some of few: providers by their display names, methods.

import { Boxes } from '../../parts/boxes.tsx';
import { Field } from '../../parts/field.tsx';
import { useMay } from '../../shell/session-context.ts';
import { useProviderTitles } from '../use-providers.ts';
import type { ConditionKind } from './condition-kinds.ts';
import { type ListDraft, valuesOf } from './rule-draft.ts';

type ConditionBoxesProps = {
  readonly kind: ConditionKind;
  readonly fault: string | undefined;
  readonly list: ListDraft;
  readonly change: (list: ListDraft) => void;
};

export function ProviderBoxes(props: ConditionBoxesProps) {
  const { kind, fault, list, change } = props;
  const mayList = useMay()('providers.read');
  const { choices } = useProviderTitles();
  // Who may not list them can name some all the same.
  if (!mayList) return <NamedProviders {...props} />;
  return (
    <Boxes
      {...kind}
      fault={fault}
      known={choices}
      unknown={(name) => `${name} (there is no such provider)`}
      chosen={valuesOf(list)}
      change={(chosen) => change({ lines: chosen.join('\n') })}
    />
  );
}

export function MethodBoxes({ kind, fault, list, change }: ConditionBoxesProps) {
  return (
    <Boxes
      {...kind}
      fault={fault}
      known={METHODS}
      unknown={(method) => method}
      chosen={valuesOf(list)}
      change={(chosen) => change({ lines: chosen.join('\n') })}
    />
  );
}

function NamedProviders({ kind, fault, list, change }: ConditionBoxesProps) {
  return (
    <Field label={kind.label} help={`${kind.help} One name per line.`} fault={fault}>
      {(control) => (
        <textarea
          {...control}
          rows={2}
          spellCheck={false}
          value={list.lines}
          onChange={(event) => change({ lines: event.target.value })}
        />
      )}
    </Field>
  );
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((value) => ({
  value,
  title: value,
}));
