// One share: its address, what it reaches, what it got, who gets in and who is in, and what ends it. Each
// setting is changed where it is shown.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { SETTINGS_SECTIONS } from '../../../src/domain/share-setting.ts';
import { client } from '../api/client.ts';
import { AccessRequests } from '../parts/access-requests.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useVersion } from '../parts/use-version.ts';
import { hrefTo, useRouter } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { AdmissionFields, OpenWarning } from './admission-fields.tsx';
import { HostsSection } from './hosts-section.tsx';
import { LiveRequests } from './live-requests.tsx';
import { SettingsSection, type TypedSettings } from './settings-section.tsx';
import { ShareActivity } from './share-activity.tsx';
import { ShareSessions } from './share-sessions.tsx';
import { ShareSwitch } from './share-switch.tsx';
import { StateBadge } from './state-badge.tsx';
import { TargetSection } from './target-section.tsx';
import { WhoCould } from './who-could.tsx';
import { WouldGetIn } from './would-get-in.tsx';

export function SharePage({ name }: { readonly name: string }) {
  const share = useVersion(['shares', name], () => client.shares.read(name), LIVE_MS);
  // What is shown stays while it cannot be read again, but not when it is known to be gone.
  const isGone = share.error instanceof ServiceError && share.error.code === 'share_unknown';
  if (share.data !== undefined && !isGone) return <Share share={share.data} />;
  return (
    <>
      <PageHead title={name} back={BACK} />
      {share.isError ? (
        <ProblemNote error={share.error} retry={share.refetch} />
      ) : (
        <Loading what="the share" />
      )}
    </>
  );
}

function Share({ share }: { readonly share: Versioned<ShareObject> }) {
  const { value } = share;
  const may = useMay();
  const mayChange = may('shares.write');
  const [typed, setTyped] = useState<TypedSettings | null>(null);
  return (
    <>
      <PageHead
        title={value.name}
        back={BACK}
        badge={<StateBadge share={value} />}
        about={<CopyText text={value.url} label="the address" />}
      >
        <a className="button primary" href={value.url} target="_blank" rel="noreferrer">
          Open
        </a>
        {mayChange && (
          <>
            <ShareSwitch share={share} />
            <Removal share={share} />
          </>
        )}
      </PageHead>
      {value.open && value.enabled && <OpenWarning />}
      <div className="columns">
        <TargetSection share={share} />
        <HostsSection share={value} />
      </div>
      <ShareActivity share={value} />
      <LiveRequests share={value} />
      <div className="columns" data-editing={typed !== null}>
        <SettingsSection title="Who gets in" share={share} fields={AdmissionFields} typed={setTyped} />
        <WouldGetIn share={value} typed={typed} />
      </div>
      {may('sessions.read') && <WhoCould share={value} />}
      <AccessRequests
        share={value}
        mayDecide={mayChange}
        {...(value.accessRequests
          ? { empty: 'No open requests. People whom the share refuses can ask.' }
          : {})}
      />
      <ShareSessions share={value} />
      <div className="columns">
        {OTHER_SECTIONS.map((title) => (
          <SettingsSection key={title} title={title} share={share} />
        ))}
      </div>
    </>
  );
}

function Removal({ share: { value, etag } }: { readonly share: Versioned<ShareObject> }) {
  const queries = useQueryClient();
  const { go } = useRouter();
  const remove = async () => {
    await client.shares.remove(value.id, { ifMatch: etag });
    go(hrefTo('shares'));
    await queries.invalidateQueries({ queryKey: ['shares', 'list'] });
  };
  return (
    <Confirm label="Delete" title={`Delete ${value.name}?`} action="Delete" run={remove}>
      <p>
        All sessions end, and visitors get “not found”. This cannot be undone. The account keeps the name.
      </p>
    </Confirm>
  );
}

const OTHER_SECTIONS = SETTINGS_SECTIONS.filter((title) => title !== 'Who gets in');
const BACK = { title: 'Shares', href: hrefTo('shares') };
/** What others change, and whether an agent serves it, is seen without asking. */
const LIVE_MS = 5_000;
