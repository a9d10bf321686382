// Every operation of the control API, once: in the order and under the section in which its description tells
// them. The router and the description walk this list (`api.ts`, `openapi.ts`): what is not in it is neither
// served nor described.

import { dismissAccessRequest } from './access/dismiss.ts';
import { grantAccessRequest } from './access/grant.ts';
import { listAccessRequests } from './access/list.ts';
import { createCertificateRequestToken } from './certificates/create-token.ts';
import { deleteCertificateRequestToken } from './certificates/delete-token.ts';
import { listCertificateRequestTokens } from './certificates/list-tokens.ts';
import { listClientCertificates } from './certificates/list.ts';
import { modifyCertificatePolicy } from './certificates/modify-policy.ts';
import { redeemCertificate } from './certificates/redeem.ts';
import { renewCertificate } from './certificates/renew.ts';
import { revokeClientCertificatesOf } from './certificates/revoke-of.ts';
import { revokeClientCertificate } from './certificates/revoke.ts';
import { rotateAccountCa } from './certificates/rotate-authority.ts';
import { showAccountCa } from './certificates/show-authority.ts';
import { showCertificatePolicy } from './certificates/show-policy.ts';
import { showCertificateRequestToken } from './certificates/show-token.ts';
import { showClientCertificate } from './certificates/show.ts';
import { decideDeviceLogin } from './device-login/decide.ts';
import { findDeviceLogin } from './device-login/find.ts';
import { createHost } from './hosts/create.ts';
import { deleteHost } from './hosts/delete.ts';
import { listHosts } from './hosts/list.ts';
import { showHost } from './hosts/show.ts';
import { verifyHost } from './hosts/verify.ts';
import { deleteOwnApiKey } from './own/delete-api-key.ts';
import { endOwnSession } from './own/end-session.ts';
import { endAllOwnSessions } from './own/end-sessions.ts';
import { listOwnApiKeys } from './own/list-api-keys.ts';
import { listOwnCertificates } from './own/list-certificates.ts';
import { listOwnSessions } from './own/list-sessions.ts';
import { listOwnShares } from './own/list-shares.ts';
import { renewOwnCertificate } from './own/renew-certificate.ts';
import { revokeOwnCertificate } from './own/revoke-certificate.ts';
import { showCaller } from './own/show-caller.ts';
import { showMe } from './own/show-me.ts';
import { createApiKey } from './people/create-api-key.ts';
import { createMember } from './people/create-member.ts';
import { deleteApiKey } from './people/delete-api-key.ts';
import { deleteMember } from './people/delete-member.ts';
import { endPersonAccess } from './people/end-access.ts';
import { inviteMember } from './people/invite-member.ts';
import { listApiKeys } from './people/list-api-keys.ts';
import { listMembers } from './people/list-members.ts';
import { modifyMember } from './people/modify-member.ts';
import { showAccount } from './people/show-account.ts';
import { showApiKey } from './people/show-api-key.ts';
import { showMember } from './people/show-member.ts';
import { showPerson } from './people/show-person.ts';
import { createProvider } from './providers/create.ts';
import { deleteProvider } from './providers/delete.ts';
import { listProviderNames } from './providers/list-names.ts';
import { listProviders } from './providers/list.ts';
import { modifyProvider } from './providers/modify.ts';
import { showProvider } from './providers/show.ts';
import { testProvider } from './providers/try.ts';
import { listAuditEvents } from './records/list-audit-events.ts';
import { listGateways } from './records/list-gateways.ts';
import { showOverview } from './records/show-overview.ts';
import { showSettings } from './records/show-settings.ts';
import { showStatus } from './records/show-status.ts';
import { endSessionsOf } from './sessions/end-of.ts';
import { endSession } from './sessions/end.ts';
import { listSessions } from './sessions/list.ts';
import { createShare } from './shares/create.ts';
import { deleteShare } from './shares/delete.ts';
import { listShares } from './shares/list.ts';
import { modifyShare } from './shares/modify.ts';
import { showShareActivity } from './shares/show-activity.ts';
import { showShare } from './shares/show.ts';
import { testShare } from './shares/try.ts';
import { watchShareRequests } from './shares/watch-requests.ts';
import { applyState } from './state/apply.ts';
import { showState } from './state/show.ts';
import { createServiceToken } from './tokens/create.ts';
import { deleteServiceToken } from './tokens/delete.ts';
import { listServiceTokens } from './tokens/list.ts';
import { showServiceToken } from './tokens/show.ts';
import { createWebhook } from './webhooks/create.ts';
import { deleteWebhook } from './webhooks/delete.ts';
import { listWebhookDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhooks } from './webhooks/list.ts';
import { modifyWebhook } from './webhooks/modify.ts';
import { redeliverWebhookDelivery } from './webhooks/redeliver.ts';
import { rotateWebhookSecret } from './webhooks/rotate-secret.ts';
import { showWebhookDelivery } from './webhooks/show-delivery.ts';
import { showWebhook } from './webhooks/show.ts';
import { testWebhook } from './webhooks/try.ts';
import { listKnownPeople } from './who/list-people.ts';
import { listPersonShares } from './who/list-person-shares.ts';
import type { Operation } from './operation.ts';
import { listOperatedAccounts } from './operator/list-accounts.ts';
import { showOperatedAccount } from './operator/show-account.ts';
import { showServiceHealth } from './operator/show-health.ts';

/** In the order in which the reference shows them. */
export const SECTIONS = {
  Shares: 'Publish backends and control who gets in.',
  Hosts: 'Serve shares at custom hosts.',
  'Service tokens': 'Give programs access to shares.',
  Providers: 'Define the providers that people log in with.',
  Sessions: 'See who is logged in where and what a person holds, and end sessions or all access of a person.',
  Certificates:
    'Manage certificate request tokens, client certificates, and the certificate authorities that sign them.',
  'Members and keys': 'Control who can use this API.',
  'Own access': 'Manage your own sessions, certificates and API keys.',
  'Audit and webhooks': 'Read audit events and send them to webhooks.',
  State: 'Bring the account to what a file says.',
  Service: 'Show the account and the service.',
  Operators: 'Show all accounts and gateways to people whom the configuration names as operators.',
} as const satisfies Readonly<Record<string, string>>;

export type OperationGroup = {
  readonly section: keyof typeof SECTIONS;
  readonly operations: readonly Operation[];
};

/**
 * A section may come back: the description keeps its order from version to version, so that two of them can
 * be compared.
 */
export const OPERATIONS: readonly OperationGroup[] = [
  {
    section: 'Members and keys',
    operations: [showCaller],
  },
  {
    section: 'Own access',
    operations: [
      showMe,
      findDeviceLogin,
      decideDeviceLogin,
      listOwnSessions,
      endOwnSession,
      endAllOwnSessions,
      listOwnCertificates,
      revokeOwnCertificate,
      renewOwnCertificate,
      listOwnApiKeys,
      deleteOwnApiKey,
      listOwnShares,
    ],
  },
  {
    section: 'Service',
    operations: [showStatus, listGateways, showAccount],
  },
  {
    section: 'Members and keys',
    operations: [
      createMember,
      listMembers,
      showMember,
      modifyMember,
      inviteMember,
      deleteMember,
      createApiKey,
      listApiKeys,
      showApiKey,
      deleteApiKey,
    ],
  },
  {
    section: 'Shares',
    operations: [
      createShare,
      listShares,
      showShare,
      showShareActivity,
      modifyShare,
      deleteShare,
      testShare,
      watchShareRequests,
    ],
  },
  {
    section: 'Hosts',
    operations: [createHost, listHosts, showHost, verifyHost, deleteHost],
  },
  {
    section: 'Service',
    operations: [showOverview],
  },
  {
    section: 'Providers',
    operations: [
      createProvider,
      listProviders,
      listProviderNames,
      showProvider,
      modifyProvider,
      deleteProvider,
      testProvider,
    ],
  },
  {
    section: 'Sessions',
    operations: [listSessions, endSession, endSessionsOf],
  },
  {
    section: 'Audit and webhooks',
    operations: [
      createWebhook,
      listWebhooks,
      showWebhook,
      modifyWebhook,
      rotateWebhookSecret,
      deleteWebhook,
      testWebhook,
      listWebhookDeliveries,
      showWebhookDelivery,
      redeliverWebhookDelivery,
    ],
  },
  {
    section: 'Certificates',
    operations: [
      showAccountCa,
      rotateAccountCa,
      showCertificatePolicy,
      modifyCertificatePolicy,
      createCertificateRequestToken,
      listCertificateRequestTokens,
      showCertificateRequestToken,
      deleteCertificateRequestToken,
      listClientCertificates,
      showClientCertificate,
      revokeClientCertificatesOf,
      revokeClientCertificate,
      redeemCertificate,
      renewCertificate,
    ],
  },
  {
    section: 'Audit and webhooks',
    operations: [listAuditEvents],
  },
  {
    section: 'Service tokens',
    operations: [createServiceToken, listServiceTokens, showServiceToken, deleteServiceToken],
  },
  {
    section: 'Shares',
    operations: [listAccessRequests, grantAccessRequest, dismissAccessRequest],
  },
  {
    section: 'State',
    operations: [showState, applyState],
  },
  {
    section: 'Shares',
    operations: [listKnownPeople, listPersonShares],
  },
  {
    section: 'Sessions',
    operations: [showPerson, endPersonAccess],
  },
  {
    section: 'Service',
    operations: [showSettings],
  },
  {
    section: 'Operators',
    operations: [listOperatedAccounts, showOperatedAccount, showServiceHealth],
  },
];
