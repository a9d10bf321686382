// The areas of the console, each loaded when it is first opened.

import { type ComponentType, lazy } from 'react';
import type { IconName } from '../parts/icons.tsx';
import type { AreaProps } from '../parts/area-props.ts';

export type Area = {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
  /** Where it stands in the list of areas; null: not in it, but at the person. */
  readonly group: 'first' | 'access' | 'account' | 'service' | null;
  /**
   * Who may see it at all: `persons` logged in themselves, as members or not; the others act for an account,
   * by a key, too, or are named as operators.
   */
  readonly seenBy: 'persons' | 'members' | 'admins' | 'operators';
  readonly Page: ComponentType<AreaProps>;
};

export const AREAS: readonly Area[] = [
  {
    name: 'overview',
    title: 'Overview',
    icon: 'overview',
    group: 'first',
    seenBy: 'members',
    Page: lazy(async () => ({ default: (await import('../overview/overview-area.tsx')).OverviewArea })),
  },
  {
    name: 'shares',
    title: 'Shares',
    icon: 'shares',
    group: 'access',
    seenBy: 'members',
    Page: lazy(async () => ({ default: (await import('../shares/shares-area.tsx')).SharesArea })),
  },
  {
    name: 'sessions',
    title: 'Sessions',
    icon: 'sessions',
    group: 'access',
    seenBy: 'members',
    Page: lazy(async () => ({ default: (await import('../sessions/sessions-area.tsx')).SessionsArea })),
  },
  {
    name: 'certificates',
    title: 'Certificates',
    icon: 'certificates',
    group: 'access',
    seenBy: 'admins',
    Page: lazy(async () => ({
      default: (await import('../certificates/certificates-area.tsx')).CertificatesArea,
    })),
  },
  {
    name: 'providers',
    title: 'Providers',
    icon: 'providers',
    group: 'account',
    seenBy: 'admins',
    Page: lazy(async () => ({ default: (await import('../providers/providers-area.tsx')).ProvidersArea })),
  },
  {
    name: 'people',
    title: 'People',
    icon: 'people',
    group: 'account',
    seenBy: 'admins',
    Page: lazy(async () => ({ default: (await import('../people/people-area.tsx')).PeopleArea })),
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    icon: 'webhooks',
    group: 'account',
    seenBy: 'admins',
    Page: lazy(async () => ({ default: (await import('../webhooks/webhooks-area.tsx')).WebhooksArea })),
  },
  {
    name: 'audit',
    title: 'Audit',
    icon: 'audit',
    group: 'account',
    seenBy: 'members',
    Page: lazy(async () => ({ default: (await import('../audit/audit-area.tsx')).AuditArea })),
  },
  {
    name: 'settings',
    title: 'Settings',
    icon: 'settings',
    group: 'account',
    seenBy: 'admins',
    Page: lazy(async () => ({ default: (await import('../settings/settings-area.tsx')).SettingsArea })),
  },
  {
    name: 'operator',
    title: 'Operator',
    icon: 'activity',
    group: 'service',
    seenBy: 'operators',
    Page: lazy(async () => ({ default: (await import('../operator/operator-area.tsx')).OperatorArea })),
  },
  {
    name: 'apps',
    title: 'My apps',
    icon: 'shares',
    group: null,
    seenBy: 'persons',
    Page: lazy(async () => ({ default: (await import('../apps/apps-area.tsx')).AppsArea })),
  },
  {
    name: 'me',
    title: 'My access',
    icon: 'me',
    group: null,
    seenBy: 'persons',
    Page: lazy(async () => ({ default: (await import('../me/me-area.tsx')).MeArea })),
  },
  {
    name: 'device',
    title: 'Log in a device',
    icon: 'terminal',
    group: null,
    seenBy: 'members',
    Page: lazy(async () => ({ default: (await import('../device/device-area.tsx')).DeviceArea })),
  },
];

/**
 * The area of an address: without a name, the first that one may see. Undefined: there is none for this
 * person.
 */
export function areaOf(path: readonly string[], areas: readonly Area[]): Area | undefined {
  const [name = areas[0]?.name] = path;
  return areas.find((each) => each.name === name);
}
