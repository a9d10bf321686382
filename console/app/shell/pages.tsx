// The areas of the console, each loaded when it is first opened.

import { type ComponentType, lazy, Suspense } from 'react';
import { PageHead } from '../parts/page-head.tsx';

/** `path`: what follows the area's name in the address. */
export type AreaProps = { readonly path: readonly string[] };

type Area = {
  readonly name: string;
  readonly title: string;
  /** Whether only admins may see it. */
  readonly admins: boolean;
  readonly Page: ComponentType<AreaProps>;
};

export const AREAS: readonly Area[] = [
  {
    name: 'shares',
    title: 'Shares',
    admins: false,
    Page: lazy(async () => ({ default: (await import('../shares/shares-area.tsx')).SharesArea })),
  },
  {
    name: 'sessions',
    title: 'Sessions',
    admins: false,
    Page: lazy(async () => ({ default: (await import('../sessions/sessions-area.tsx')).SessionsArea })),
  },
  {
    name: 'certificates',
    title: 'Certificates',
    admins: false,
    Page: lazy(async () => ({
      default: (await import('../certificates/certificates-area.tsx')).CertificatesArea,
    })),
  },
  {
    name: 'providers',
    title: 'Providers',
    admins: false,
    Page: lazy(async () => ({ default: (await import('../providers/providers-area.tsx')).ProvidersArea })),
  },
  {
    name: 'people',
    title: 'People',
    admins: true,
    Page: lazy(async () => ({ default: (await import('../people/people-area.tsx')).PeopleArea })),
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    admins: true,
    Page: lazy(async () => ({ default: (await import('../webhooks/webhooks-area.tsx')).WebhooksArea })),
  },
  {
    name: 'audit',
    title: 'Audit',
    admins: false,
    Page: lazy(async () => ({ default: (await import('../audit/audit-area.tsx')).AuditArea })),
  },
];

export function PageOf({ path }: AreaProps) {
  const [name = AREAS[0]?.name, ...rest] = path;
  const area = AREAS.find((each) => each.name === name);
  if (area === undefined) return <NothingHere />;
  return (
    <Suspense
      fallback={
        <p aria-busy="true" className="soft">
          Loading…
        </p>
      }
    >
      <area.Page path={rest} />
    </Suspense>
  );
}

export function NothingHere() {
  return (
    <>
      <PageHead title="There is nothing here" />
      <p>The address may be mistyped, or what it named may be gone.</p>
    </>
  );
}
