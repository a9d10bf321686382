// A share as the audit tells it: each setting by its name in the API, durations as people write them, rules
// as text.

import type { AccessRuleDocument } from './access-rule.ts';
import type { ChangeFields, ChangeMade } from './audit-change.ts';
import { formatDuration } from './duration.ts';
import { ruleText } from './rule-text.ts';
import { KEPT_SETTINGS, keptKey, type ShareSettings, UNSET_SETTINGS } from './share-values.ts';
import type { TunnelKind } from './tunnel-kind.ts';

/** What the audit tells of, of whatever has more. */
export type ToldShare = ShareSettings & {
  readonly name?: string;
  readonly target?: string | null;
  readonly tunnel?: TunnelKind | null;
};

/** Null: it is not there. */
export function shareChange(before: ToldShare | null, after: ToldShare | null): ChangeMade {
  return { before: before && shareFields(before), after: after && shareFields(after), unset: UNSET };
}

function shareFields({ name, target, tunnel, ...settings }: ToldShare): ChangeFields {
  return { name, target, tunnel, ...settingFields(settings) };
}

function settingFields(settings: ShareSettings): ChangeFields {
  const kept: ChangeFields = settings;
  return Object.fromEntries(
    KEPT_SETTINGS.map(([name, setting]) => [name, shown(setting.kind, kept[keptKey(name, setting)])]),
  );
}

function shown(kind: string, value: unknown): unknown {
  if (kind === 'duration') return value === null ? null : formatDuration(Number(value));
  if (kind === 'rules') return (value as readonly AccessRuleDocument[]).map(ruleText);
  return value;
}

const UNSET = settingFields(UNSET_SETTINGS);
