// The settings of a share that one section of its page has: shown in words, changed in place.

import { Fragment, type ReactNode } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import type { SettingsSection as Title } from '../../../src/domain/share-setting.ts';
import { providerNames } from '../../../src/domain/named-providers.ts';
import { SHARE_SETTINGS, type SettingName } from '../../../src/domain/share-settings.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { CodeList } from './code-list.tsx';
import { EditSection } from './edit-section.tsx';
import { SettingField, type SettingFieldsProps } from './setting-field.tsx';
import { draftChanges, draftOf, namesIn } from './settings-draft.ts';
import { settingText } from './share-words.ts';

type SettingsSectionProps = {
  readonly title: Title;
  readonly share: Versioned<ShareObject>;
  /** A field for each setting, unless said. */
  readonly fields?: (props: SettingFieldsProps) => ReactNode;
};

export function SettingsSection({ title, share, fields }: SettingsSectionProps) {
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
  if ((kind === 'texts' || kind === 'rules') && Array.isArray(value) && value.length > 0)
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
  return useMay()('providers.read') ? <Link href={hrefTo('providers', name)}>{name}</Link> : name;
}
