// What operators see of the service: accounts in figures, and how gateways do. Nothing that an account holds
// is in it: no address of a person, no target, no event.

import type { LimitObject } from './settings.ts';

export type OperatedAccount = {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly createdAt: string;
  /** The minute or hour of the last request at its shares; null for none in the last week. */
  readonly lastRequestAt: string | null;
  /** Of those that are counted. */
  readonly limits: readonly LimitObject[];
};

export type OperatedAccountPage = {
  readonly items: readonly OperatedAccount[];
  readonly nextCursor: string | null;
};

/** With all limits, and how many sessions it has. */
export type OperatedAccountDetail = OperatedAccount & { readonly sessions: { readonly active: number } };

export type ServiceHealth = {
  readonly gateways: readonly OperatedGateway[];
  /** Certificates that come by ACME; null where none do. */
  readonly publicCertificates: {
    readonly valid: number;
    readonly missing: number;
    readonly failing: number;
    readonly firstExpiresAt: string | null;
  } | null;
  /** Deliveries of webhooks; at most 10,000 of each are counted. */
  readonly webhookDeliveries: { readonly waiting: number; readonly overdue: number };
};

export type OperatedGateway = {
  readonly id: string;
  readonly version: string;
  readonly startedAt: string;
  /** `silent`: it did not report for 30 seconds. */
  readonly state: 'running' | 'silent';
  readonly silentSeconds: number;
  /** `running` is null of a version that does not say. */
  readonly workers: { readonly running: number | null; readonly configured: number };
  /** How far its routes and sessions may be behind the database; null of a version that does not say. */
  readonly behindSeconds: number | null;
  readonly auditWaiting: number | null;
  /** Of its certificates of files, the first end. */
  readonly certificateExpiresAt: string | null;
};
