// Conditions of which people choose some of few: providers by their display names, methods.

import { Boxes } from '../../parts/boxes.tsx';
import { ProviderBoxes } from '../provider-boxes.tsx';
import type { ConditionKind } from './condition-kinds.ts';
import { type ListDraft, valuesOf } from './rule-draft.ts';

type ConditionBoxesProps = {
  readonly kind: ConditionKind;
  readonly fault: string | undefined;
  readonly list: ListDraft;
  readonly change: (list: ListDraft) => void;
};

export function ProvidersCondition({ kind, fault, list, change }: ConditionBoxesProps) {
  return (
    <ProviderBoxes
      label={kind.label}
      help={kind.help}
      fault={fault}
      chosen={valuesOf(list)}
      change={(lines) => change({ lines })}
    />
  );
}

export function MethodsCondition({ kind, fault, list, change }: ConditionBoxesProps) {
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

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((value) => ({
  value,
  title: value,
}));
