// Below /console/me: a person's own things, whether they are a member or not. Short, for a phone.

import { useQuery } from '@tanstack/react-query';
import type { MeObject } from '../../../src/wire/own.ts';
import { client } from '../api/client.ts';
import { Loading } from '../parts/loading.tsx';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { useMember } from '../shell/session-context.ts';
import { OwnCertificates } from './own-certificates.tsx';
import { OwnKeys } from './own-keys.tsx';
import { OwnSessions } from './own-sessions.tsx';

export function MeArea({ path }: AreaProps) {
  return path.length === 0 ? <MePage /> : <NothingHere />;
}

function MePage() {
  const isMember = useMember().kind === 'member';
  const me = useQuery({ queryKey: ['me'], queryFn: () => client.own.show() });
  return (
    <>
      <PageHead title="My access" about={me.data === undefined ? undefined : whoIs(me.data)} />
      {me.isError && <ProblemNote error={me.error} retry={me.refetch} />}
      {me.isPending && <Loading what="your access" />}
      {me.data !== undefined && (
        <>
          <OwnSessions />
          {me.data.emailVerified ? <OwnCertificates /> : <UnknownAddress me={me.data} />}
          {isMember && <OwnKeys />}
        </>
      )}
    </>
  );
}

function whoIs({ email, providerDisplayName }: MeObject): string {
  return `You are ${email}, logged in with ${providerDisplayName}. Manage your own sessions and certificates here.`;
}

function UnknownAddress({ me: { providerDisplayName, email } }: { readonly me: MeObject }) {
  return (
    <Note>
      <p>
        Your certificates are hidden: {providerDisplayName} does not vouch that {email} is yours. Log in with
        another provider, or ask whoever gave you the certificate.
      </p>
    </Note>
  );
}
