// A field for a setting of a share, whatever kind it is of; none where what it needs is not there.

import { lazy, Suspense } from 'react';
import type { Part, Setting } from '../../../src/domain/share-setting.ts';
import { SHARE_SETTINGS, type SettingName } from '../../../src/domain/share-settings.ts';
import { Field, type FieldControl } from '../parts/field.tsx';
import { type Faults, faultAt } from '../parts/faults.ts';
import { Loading } from '../parts/loading.tsx';
import { IconField } from './icon-field.tsx';
import { ProviderChoice } from './provider-choice.tsx';
import type { RulesDraft } from './rules/rule-draft.ts';
import { isAskedFor, type SettingsDraft } from './settings-draft.ts';

export type SettingFieldsProps = {
  readonly draft: SettingsDraft;
  readonly set: (changes: Partial<SettingsDraft>) => void;
  readonly faults: Faults;
};

type SettingFieldProps = SettingFieldsProps & { readonly name: SettingName };

export function SettingField({ name, draft, set, faults }: SettingFieldProps) {
  const setting: Setting = SHARE_SETTINGS[name];
  if (setting.form.readOnly === true || !isAskedFor(draft, setting)) return null;
  const value: unknown = draft[name];
  const change = (to: unknown) => set({ [name]: to });
  if (setting.kind === 'switch' || setting.kind === 'confirmation')
    return (
      <label className="check">
        <input
          type="checkbox"
          // What is to be confirmed is not to be passed over.
          required={setting.kind === 'confirmation'}
          checked={value === true}
          onChange={(event) => change(event.target.checked)}
        />
        {setting.form.label}
      </label>
    );
  if (setting.kind === 'names')
    return (
      <ProviderChoice
        label={setting.form.label}
        help={setting.form.help}
        fault={faultAt(faults, name)}
        providers={String(value)}
        choose={change}
      />
    );
  if (setting.kind === 'rules')
    return (
      <Suspense fallback={<Loading what="the rules" />}>
        <RulesEditor draft={value as RulesDraft} change={change} faults={faults} />
      </Suspense>
    );
  return (
    <>
      <Field label={setting.form.label} help={setting.form.help} fault={faultAt(faults, name)}>
        {(control) => <SettingControl setting={setting} control={control} value={value} change={change} />}
      </Field>
      {setting.kind === 'section' && (
        <Parts name={name} parts={setting.parts} value={value as Section} change={change} faults={faults} />
      )}
    </>
  );
}

type ControlProps = {
  readonly setting: Setting | Part;
  readonly control: FieldControl;
  readonly value: unknown;
  readonly change: (value: unknown) => void;
};

function SettingControl({ setting, control, value, change }: ControlProps) {
  switch (setting.kind) {
    case 'texts':
      return (
        <textarea
          {...control}
          rows={2}
          spellCheck={false}
          value={String(value)}
          onChange={(event) => change(event.target.value)}
        />
      );
    case 'choice':
      return (
        <select {...control} value={String(value)} onChange={(event) => change(event.target.value)}>
          {Object.entries(setting.choices).map(([choice, meaning]) => (
            <option key={choice} value={choice}>
              {`${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`}
            </option>
          ))}
        </select>
      );
    case 'section': {
      const section = value as Section;
      return (
        <select
          {...control}
          value={section.required ? 'asked' : 'none'}
          onChange={(event) => change({ ...section, required: event.target.value === 'asked' })}
        >
          <option value="none">Not required</option>
          <option value="asked">Required</option>
        </select>
      );
    }
    default:
      if (setting.kind === 'text' && setting.syntax === 'appIcon')
        return <IconField control={control} value={String(value)} change={change} />;
      return (
        <input
          {...control}
          autoComplete="off"
          spellCheck={false}
          placeholder={setting.kind === 'duration' ? setting.default : undefined}
          value={String(value)}
          onChange={(event) => change(event.target.value)}
        />
      );
  }
}

type Section = SettingsDraft['clientCertificate'];

type PartsProps = {
  readonly name: string;
  readonly parts: Readonly<Record<string, Part>>;
  readonly value: Section;
  readonly change: (value: Section) => void;
  readonly faults: Faults;
};

function Parts({ name, parts, value, change, faults }: PartsProps) {
  if (!value.required) return null;
  return Object.entries(parts).map(([part, setting]) => (
    <Field key={part} label={setting.form.label} help={setting.form.help} fault={faults[`${name}.${part}`]}>
      {(control) => (
        <SettingControl
          setting={setting}
          control={control}
          value={value[part as keyof Section]}
          change={(text) => change({ ...value, [part]: text })}
        />
      )}
    </Field>
  ));
}

/** Most forms are opened for something else. */
const RulesEditor = lazy(async () => ({ default: (await import('./rules/rules-editor.tsx')).RulesEditor }));
