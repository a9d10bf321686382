// The fields that say who gets in at a share: the login with its addresses, the client certificate, and how
// the two go together.

import { Fragment } from 'react';
import { SHARE_SETTINGS } from '../../../src/domain/share-settings.ts';
import { Note } from '../parts/note.tsx';
import { SettingField, type SettingFieldsProps } from './setting-field.tsx';
import { isAskedFor, listOf, namesIn } from './settings-draft.ts';

export function AdmissionFields({ draft, ...props }: SettingFieldsProps) {
  const { oauthProvider: provider, oauthEmailAddressPatterns: patterns } = draft;
  return namesIn('Who gets in').map((name) => (
    <Fragment key={name}>
      {name === 'open' && isAskedFor(draft, SHARE_SETTINGS.open) && <OpenWarning />}
      <SettingField name={name} draft={draft} {...props} />
      {name === 'oauthEmailAddressPatterns' && provider !== '' && patterns.trim() === '' && (
        <Note>
          <p>
            Everybody who has an account at {listOf(provider).join(' or ')} gets in. Add a pattern to restrict
            access.
          </p>
        </Note>
      )}
    </Fragment>
  ));
}

export function OpenWarning() {
  return (
    <Note tone="warn">
      <p>
        <strong>Open to everyone.</strong> Whoever has the address gets in, without a login or a certificate.
      </p>
    </Note>
  );
}
