// What changed where the kind of an event says all of it: no event stores that, and each is told with it.

import type { AuditChange, ToldFields } from './audit-change.ts';
import type { AuditKind, ChangeKind } from './audit-kind.ts';

/** Undefined of a kind that changes nothing, or whose events say it themselves. */
export function impliedChange(kind: AuditKind): AuditChange | undefined {
  const change = IMPLIED[kind];
  return change && { ...change, secrets: [], omitted: 0 };
}

type Sides = { readonly before: ToldFields | null; readonly after: ToldFields };

const state = (before: string, after: string): Sides => ({
  before: { state: before },
  after: { state: after },
});

const IMPLIED: Readonly<Partial<Record<AuditKind, Sides>> & { readonly [Kind in ChangeKind]?: never }> = {
  'session.ended': state('active', 'ended'),
  logout: state('active', 'ended'),
  'account.suspended': state('active', 'suspended'),
  'account.resumed': state('suspended', 'active'),
  'member.accepted': state('invited', 'active'),
  'device_login.allowed': state('waiting', 'allowed'),
  'device_login.denied': state('waiting', 'denied'),
  'access.requested': { before: null, after: { state: 'open' } },
  'access.granted': state('open', 'granted'),
  'access.dismissed': state('open', 'dismissed'),
  'access.ended': state('active', 'ended'),
  'host.proved': state('pending', 'verified'),
  'host.lost': state('verified', 'lost'),
  'host.granted': state('none', 'granted'),
  'host.revoked': state('granted', 'none'),
  'webhook.disabled': { before: { enabled: true }, after: { enabled: false } },
  'certificate.revoked': state('active', 'revoked'),
};
