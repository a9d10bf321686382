// Who gets in at a share: shown in words, changed in place.

import type { Versioned } from '../../../src/client/call.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { AdmissionFields } from './admission-fields.tsx';
import { admissionChanges, admissionOf } from './admission.ts';
import { CodeList } from './code-list.tsx';
import { EditSection } from './edit-section.tsx';
import { ACCESS_WORDS, certificateText } from './share-words.ts';

export function AdmissionSection({ share }: { readonly share: Versioned<ShareObject> }) {
  const { oauthProvider, clientCertificate, access } = share.value;
  return (
    <EditSection
      title="Who gets in"
      share={share}
      draftOf={admissionOf}
      changesOf={admissionChanges}
      fields={(admission, set, faults) => <AdmissionFields admission={admission} set={set} faults={faults} />}
    >
      <Facts
        facts={[
          ...useLoginFacts(share.value),
          {
            title: 'Client certificate',
            value: clientCertificate === null ? 'none is asked for' : certificateText(clientCertificate),
          },
          oauthProvider === null || clientCertificate === null
            ? null
            : { title: 'Login and certificate', value: ACCESS_WORDS[access] },
        ]}
      />
    </EditSection>
  );
}

function useLoginFacts(share: ShareObject): readonly Fact[] {
  const maySeeProviders = useMay()('providers.read');
  const { oauthProvider: provider, oauthEmailAddressPatterns: patterns, oauthCheckInterval } = share;
  if (provider === null) return [{ title: 'Log in with', value: 'no login' }];
  return [
    {
      title: 'Log in with',
      value: maySeeProviders ? <Link href={hrefTo('providers', provider)}>{provider}</Link> : provider,
    },
    {
      title: 'Allowed addresses',
      value: patterns.length === 0 ? `any that ${provider} knows` : <CodeList items={patterns} />,
    },
    { title: 'Checked again every', value: oauthCheckInterval },
  ];
}
