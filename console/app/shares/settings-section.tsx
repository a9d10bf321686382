// The settings of a share that one section of its page has: shown in words, changed in place.

import { Fragment, type ReactNode } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { ShareChanges, ShareObject } from '../../../src/wire/share.ts';
import type { SettingsSection as Title } from '../../../src/domain/share-setting.ts';
import { providerNames } from '../../../src/domain/named-providers.ts';
import { SHARE_SETTINGS, type SettingName } from '../../../src/domain/share-settings.ts';
import { AppIcon } from '../parts/app-icon.tsx';
import { type Fact, Facts } from '../parts/facts.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { CodeList } from './code-list.tsx';
import { EditSection } from './edit-section.tsx';
import { SettingField, type SettingFieldsProps } from './setting-field.tsx';
import { draftChanges, draftOf, namesIn } from './settings-draft.ts';
import { RuleSentences } from './rules/rule-sentences.tsx';
import { changesOf } from './share-changes.ts';
import { settingText } from './share-words.ts';
import { useProviderTitles } from '../parts/use-providers.ts';

type SettingsSectionProps = {
  readonly title: Title;
  readonly share: Versioned<ShareObject>;
  /** A field for each setting, unless said. */
  readonly fields?: (props: SettingFieldsProps) => ReactNode;
  /** Told what is typed, and null while nobody edits. */
  readonly typed?: (typed: TypedSettings | null) => void;
};

export type TypedSettings = {
  /** What saving would send; null for nothing. */
  readonly changes: ShareChanges | null;
  /** Whether some of it cannot be read, so that `changes` is what was typed before. */
  readonly isUnread: boolean;
};

export function SettingsSection({ title, share, fields, typed }: SettingsSectionProps) {
  const names = namesIn(title);
  const Fields =
    fields ??
    ((props: SettingFieldsProps) => names.map((name) => <SettingField key={name} name={name} {...props} />));
  return (
    <EditSection
      title={title}
      share={share}
      draftOf={draftOf}
      changesOf={(draft) => draftChanges(draft, title)}
      fields={(draft, set, faults) => Fields({ draft, set, faults })}
      watch={
        typed &&
        ((draft, start) =>
          typed(
            draft && {
              changes: changesOf(start, draftChanges(draft, title)),
              isUnread: draft.rules.isUnread,
            },
          ))
      }
    >
      <Facts facts={names.map((name) => factOf(share.value, name))} />
    </EditSection>
  );
}

function factOf(share: ShareObject, name: SettingName): Fact | null {
  const text = settingText(share, name);
  if (text === null) return null;
  const { kind, form } = SHARE_SETTINGS[name];
  const { [name]: value } = share;
  if (name === 'oauthProvider' && share.oauthProvider !== null)
    return { title: form.label, value: <ProviderNames names={providerNames(share.oauthProvider)} /> };
  if (name === 'icon') return { title: form.label, value: <AppIcon icon={share.icon} name={share.name} /> };
  if (kind === 'rules' && share.rules.length > 0)
    return { title: form.label, value: <RuleSentences rules={share.rules} /> };
  if (kind === 'texts' && Array.isArray(value) && value.length > 0)
    return { title: form.label, value: <CodeList items={text.split('\n')} /> };
  return { title: form.label, value: text };
}

function ProviderNames({ names }: { readonly names: readonly string[] }) {
  return names.map((name, index) => (
    <Fragment key={name}>
      {index > 0 && ' or '}
      <ProviderName name={name} />
    </Fragment>
  ));
}

function ProviderName({ name }: { readonly name: string }) {
  const { titleOf } = useProviderTitles();
  const mayRead = useMay()('providers.read');
  return mayRead ? <Link href={hrefTo('providers', name)}>{titleOf(name)}</Link> : titleOf(name);
}
