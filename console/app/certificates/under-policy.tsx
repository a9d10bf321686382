// What is asked for under the account's rules for certificates: they are read first, and the form is for
// those who may create certificates.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PolicyObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { Loading } from '../parts/loading.tsx';
import { Note } from '../parts/note.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useMay } from '../shell/session-context.ts';

export function UnderPolicy({ children }: { readonly children: (policy: PolicyObject) => ReactNode }) {
  const mayWrite = useMay()('certificates.write');
  const policy = useQuery({
    queryKey: ['certificate-policy'],
    queryFn: () => client.certificates.policy(),
  });
  return (
    <>
      {policy.isError && <ProblemNote error={policy.error} retry={policy.refetch} />}
      {policy.isPending && <Loading what="the account’s rules" />}
      {!mayWrite && (
        <Note>
          <p>Only an admin can do this, logged in as a member or with an API key of full scope.</p>
        </Note>
      )}
      {policy.data !== undefined && mayWrite && children(policy.data)}
    </>
  );
}
