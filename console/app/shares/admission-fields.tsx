// The fields that say who gets in at a share: the login with its addresses, the client certificate, and how
// the two go together.

import { Fragment } from 'react';
import { SHARE_SETTINGS } from '../../../src/domain/share-settings.ts';
import { Note } from '../parts/note.tsx';
import { SettingField, type SettingFieldsProps } from './setting-field.tsx';
import { isAskedFor, listOf, namesIn, type SettingsDraft } from './settings-draft.ts';
import { useProviderTitles } from '../parts/use-providers.ts';
import { whoLogsIn } from './who-logs-in.ts';

type AdmissionFieldsProps = SettingFieldsProps & {
  /** Not where a command is printed, which takes rules from a file. */
  readonly withRules?: boolean;
};

export function AdmissionFields({ draft, withRules = true, ...props }: AdmissionFieldsProps) {
  const names = namesIn('Who gets in').filter((name) => withRules || name !== 'rules');
  return names.map((name) => (
    <Fragment key={name}>
      {name === 'open' && isAskedFor(draft, SHARE_SETTINGS.open) && <OpenWarning />}
      <SettingField name={name} draft={draft} {...props} />
      {name === 'oauthEmailAddressPatterns' && <WideNote draft={draft} />}
    </Fragment>
  ));
}

/**
 * A login without a limit lets in whoever has an account, whatever the rules below it say; but for what the
 * provider's own definition asks.
 */
function WideNote({ draft }: { readonly draft: SettingsDraft }) {
  const { oauthEmailAddressPatterns: patterns, allowGroups: groups } = draft;
  const { titles } = useProviderTitles();
  const providers = listOf(draft.oauthProvider);
  if (providers.length === 0 || patterns.trim() !== '' || groups.trim() !== '') return null;
  const hasRules = draft.rules.rules.some(({ effect }) => effect === 'allow');
  const { people, isLimited } = whoLogsIn(providers, titles);
  return (
    <Note tone={hasRules ? 'warn' : 'plain'}>
      <p>
        {people}
        {hasRules
          ? ', in addition to those whom the rules let in. To let the rules alone decide, choose no provider here.'
          : isLimited
            ? '. To restrict access further, add a pattern or groups.'
            : '. Add a pattern, or groups, to restrict access.'}
      </p>
    </Note>
  );
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
