// One provider: whether it works, which shares use it, and what is set. Those of the configuration can be
// tested and tried, too.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { ProviderObject, ProviderStanding, ProviderType } from '../../../src/wire/provider.ts';
import { kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Loading } from '../parts/loading.tsx';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useVersion } from '../parts/use-version.ts';
import { hrefTo } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { DeleteProvider } from './delete-provider.tsx';
import { EditProvider } from './edit-provider.tsx';
import { ProviderSettings } from './provider-settings.tsx';
import { ProviderTest } from './provider-test.tsx';
import { ProviderTrial } from './provider-trial.tsx';
import { ProviderUsers } from './provider-users.tsx';

export function ProviderPage({ name }: { readonly name: string }) {
  const provider = useVersion(['providers', name], () => client.providers.read(name));
  const { error } = provider;
  if (error instanceof ServiceError && error.code === 'provider_unknown')
    return <OtherProvider name={name} error={error} />;
  // What is shown stays while it cannot be read again.
  if (provider.data === undefined)
    return error === null ? (
      <Loading what="the provider" />
    ) : (
      <ProblemNote error={error} retry={provider.refetch} />
    );
  return <OwnProvider provider={provider.data} />;
}

function OwnProvider({ provider }: { readonly provider: Versioned<ProviderObject> }) {
  const { name, type, shares } = provider.value;
  const may = useMay();
  const queries = useQueryClient();
  // What it was when the form was opened: what is read meanwhile must not change it under somebody's hands.
  const [editing, edit] = useState<Versioned<ProviderObject> | null>(null);
  const close = async () => {
    edit(null);
    await queries.invalidateQueries({ queryKey: ['providers'] });
  };
  return (
    <>
      <Head name={name} type={type}>
        {may('providers.write') && (
          <>
            {editing === null && (
              <button type="button" onClick={() => edit(provider)}>
                Edit
              </button>
            )}
            <DeleteProvider name={name} shares={shares} />
          </>
        )}
      </Head>
      {editing !== null && <EditProvider start={editing} close={close} />}
      <Uses
        provider={provider.value}
        found={() => void queries.invalidateQueries({ queryKey: ['providers', name] })}
      />
      {editing === null && <ProviderSettings provider={provider.value} />}
    </>
  );
}

/** Not the account's own: one of the configuration, or none. */
function OtherProvider({ name, error }: { readonly name: string; readonly error: Error }) {
  const { data, refetch } = useQuery({
    queryKey: ['providers', 'configured'],
    queryFn: async () => (await client.providers.list({ limit: 1 })).configured,
  });
  if (data === undefined) return <Loading what="the provider" />;
  const found = data.find((each) => each.name === name);
  if (found === undefined) return <ProblemNote error={error} />;
  return (
    <>
      <Head name={name} type={found.type} />
      <Note>
        <span>
          The operator of this service configured it for every account. It can be used, tested and tried here;
          only the operator changes it.
        </span>
      </Note>
      <Uses provider={found} found={() => void refetch()} />
    </>
  );
}

type HeadProps = {
  readonly name: string;
  readonly type: ProviderType;
  readonly children?: React.ReactNode;
};

function Head({ name, type, children }: HeadProps) {
  return (
    <PageHead
      title={name}
      back={{ title: 'Providers', href: hrefTo('providers') }}
      badge={<Badge tone="neutral">{kindOfDefinition(type).title}</Badge>}
    >
      {children}
    </PageHead>
  );
}

type UsesProps = {
  readonly provider: ProviderStanding & { readonly name: string; readonly shares: number };
  /** Called when a test, or perhaps a trial, found something. */
  readonly found: () => void;
};

function Uses({ provider: { name, shares, lastTest, lastTrial }, found }: UsesProps) {
  const may = useMay();
  // Whoever may not test reads what others found.
  const mayTest = may('providers.test');
  return (
    <>
      <ProviderTest name={name} last={lastTest} mayTest={mayTest} tested={found} />
      <ProviderTrial name={name} last={lastTrial} mayTry={mayTest} look={found} />
      <ProviderUsers name={name} shares={shares} />
    </>
  );
}
