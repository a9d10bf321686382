// The API's description (OpenAPI 3.1), made from the schemas that check requests.

import { OpenAPIHono } from '@hono/zod-openapi';
import { decideDeviceLoginRoute } from './operations/decide-device-login.ts';
import { findDeviceLoginRoute } from './operations/find-device-login.ts';
import { showCallerRoute } from './operations/show-caller.ts';
import { showMeRoute } from './operations/show-me.ts';
import { listOwnSessionsRoute } from './operations/list-own-sessions.ts';
import { endOwnSessionRoute } from './operations/end-own-session.ts';
import { endAllOwnSessionsRoute } from './operations/end-own-sessions.ts';
import { listOwnCertificatesRoute } from './operations/list-own-certificates.ts';
import { revokeOwnCertificateRoute } from './operations/revoke-own-certificate.ts';
import { renewOwnCertificateRoute } from './operations/renew-own-certificate.ts';
import { createApiKeyRoute } from './operations/create-api-key.ts';
import { createMemberRoute } from './operations/create-member.ts';
import { deleteApiKeyRoute } from './operations/delete-api-key.ts';
import { deleteMemberRoute } from './operations/delete-member.ts';
import { inviteMemberRoute } from './operations/invite-member.ts';
import { listApiKeysRoute } from './operations/list-api-keys.ts';
import { listMembersRoute } from './operations/list-members.ts';
import { modifyMemberRoute } from './operations/modify-member.ts';
import { showAccountRoute } from './operations/show-account.ts';
import { createHostRoute } from './operations/create-host.ts';
import { deleteHostRoute } from './operations/delete-host.ts';
import { listHostsRoute } from './operations/list-hosts.ts';
import { showApiKeyRoute } from './operations/show-api-key.ts';
import { showMemberRoute } from './operations/show-member.ts';
import { showHostRoute } from './operations/show-host.ts';
import { testShareRoute } from './operations/test-share.ts';
import { watchShareRequestsRoute } from './operations/watch-share-requests.ts';
import { verifyHostRoute } from './operations/verify-host.ts';
import { createProviderRoute } from './operations/create-provider.ts';
import { deleteProviderRoute } from './operations/delete-provider.ts';
import { listProvidersRoute } from './operations/list-providers.ts';
import { modifyProviderRoute } from './operations/modify-provider.ts';
import { showProviderRoute } from './operations/show-provider.ts';
import { testProviderRoute } from './operations/test-provider.ts';
import { listGatewaysRoute } from './operations/list-gateways.ts';
import { showOverviewRoute } from './operations/show-overview.ts';
import { showStatusRoute } from './operations/show-status.ts';
import { createShareRoute } from './operations/create-share.ts';
import { deleteShareRoute } from './operations/delete-share.ts';
import { endSessionRoute } from './operations/end-session.ts';
import { endSessionsOfRoute } from './operations/end-sessions-of.ts';
import { listAuditEventsRoute } from './operations/list-audit-events.ts';
import { listSessionsRoute } from './operations/list-sessions.ts';
import { listSharesRoute } from './operations/list-shares.ts';
import { modifyShareRoute } from './operations/modify-share.ts';
import { showShareRoute } from './operations/show-share.ts';
import { showAccountCaRoute } from './operations/show-account-ca.ts';
import { rotateAccountCaRoute } from './operations/rotate-account-ca.ts';
import { showCertificatePolicyRoute } from './operations/show-certificate-policy.ts';
import { modifyCertificatePolicyRoute } from './operations/modify-certificate-policy.ts';
import { createCertificateRequestTokenRoute } from './operations/create-certificate-request-token.ts';
import { listCertificateRequestTokensRoute } from './operations/list-certificate-request-tokens.ts';
import { showCertificateRequestTokenRoute } from './operations/show-certificate-request-token.ts';
import { deleteCertificateRequestTokenRoute } from './operations/delete-certificate-request-token.ts';
import { listClientCertificatesRoute } from './operations/list-client-certificates.ts';
import { showClientCertificateRoute } from './operations/show-client-certificate.ts';
import { revokeClientCertificatesOfRoute } from './operations/revoke-client-certificates-of.ts';
import { revokeClientCertificateRoute } from './operations/revoke-client-certificate.ts';
import { renewCertificateRoute } from './operations/renew-certificate.ts';
import { redeemCertificateRoute } from './operations/redeem-certificate.ts';
import { createWebhookRoute } from './operations/create-webhook.ts';
import { listWebhooksRoute } from './operations/list-webhooks.ts';
import { showWebhookRoute } from './operations/show-webhook.ts';
import { modifyWebhookRoute } from './operations/modify-webhook.ts';
import { deleteWebhookRoute } from './operations/delete-webhook.ts';
import { rotateWebhookSecretRoute } from './operations/rotate-webhook-secret.ts';
import { testWebhookRoute } from './operations/test-webhook.ts';

/** What `/openapi.json` answers. It says nothing that the reference documents do not say. */
export function openApiDocument(): object {
  const described = new OpenAPIHono();
  const registry = described.openAPIRegistry;
  registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`dw_…`), made by an operator with `doorward account create`.',
  });
  registry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-svc-control',
    description:
      'A login at `/auth/login`, or with an API key at `/auth/key`. Unsafe methods need the own `Origin` and `application/json`.',
  });
  registry.registerComponent('securitySchemes', 'clientCertificate', {
    type: 'mutualTLS',
    description:
      'A client certificate with an API role, where `control.client_certificates` is `optional` or `required`.',
  });
  for (const { middleware: _check, ...route } of ROUTES)
    registry.registerPath({ ...route, tags: [tagOf(route.path)] });
  return described.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Doorward control API',
      version: 'v1',
      description:
        'JSON only. Each call carries an API key as bearer. Faults are problem documents (RFC 9457) with a stable `code`. For people: `/docs`.',
    },
    servers: [{ url: '/' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
  });
}

/** By the first part of the path behind the version. */
function tagOf(path: string): string {
  const [, , collection = ''] = path.split('/');
  const tag = TAGS.find(({ of }) => of.includes(collection));
  if (tag === undefined) throw new TypeError(`Cannot describe ${path}: it has no tag`);
  return tag.name;
}

const TAGS: readonly {
  readonly name: string;
  readonly description: string;
  readonly of: readonly string[];
}[] = [
  { name: 'Shares', description: 'Published backends, and who gets in.', of: ['shares'] },
  { name: 'Hosts', description: 'Hosts of your own at which shares answer.', of: ['hosts'] },
  { name: 'Providers', description: 'What people log in with.', of: ['auth-providers'] },
  { name: 'Sessions', description: 'Who is logged in, and where.', of: ['sessions'] },
  {
    name: 'Certificates',
    description: 'Certificate request tokens, client certificates, and the authorities that sign them.',
    of: ['account-ca', 'certificate-policy', 'certificate-request-tokens', 'client-certificates'],
  },
  { name: 'Members and keys', description: 'Who may use this API.', of: ['members', 'api-keys', 'caller'] },
  { name: 'Own access', description: 'What the person who calls may see and end of their own.', of: ['me'] },
  {
    name: 'Audit and webhooks',
    description: 'What happened, and who is notified.',
    of: ['audit-events', 'webhooks'],
  },
  {
    name: 'Service',
    description: 'The account and the service.',
    of: ['account', 'overview', 'status', 'gateways'],
  },
];

const ROUTES = [
  showCallerRoute,
  showMeRoute,
  findDeviceLoginRoute,
  decideDeviceLoginRoute,
  listOwnSessionsRoute,
  endOwnSessionRoute,
  endAllOwnSessionsRoute,
  listOwnCertificatesRoute,
  revokeOwnCertificateRoute,
  renewOwnCertificateRoute,
  showStatusRoute,
  listGatewaysRoute,
  showAccountRoute,
  createMemberRoute,
  listMembersRoute,
  showMemberRoute,
  modifyMemberRoute,
  inviteMemberRoute,
  deleteMemberRoute,
  createApiKeyRoute,
  listApiKeysRoute,
  showApiKeyRoute,
  deleteApiKeyRoute,
  createShareRoute,
  listSharesRoute,
  showShareRoute,
  modifyShareRoute,
  deleteShareRoute,
  testShareRoute,
  watchShareRequestsRoute,
  createHostRoute,
  listHostsRoute,
  showHostRoute,
  verifyHostRoute,
  deleteHostRoute,
  showOverviewRoute,
  createProviderRoute,
  listProvidersRoute,
  showProviderRoute,
  modifyProviderRoute,
  deleteProviderRoute,
  testProviderRoute,
  listSessionsRoute,
  endSessionRoute,
  endSessionsOfRoute,
  createWebhookRoute,
  listWebhooksRoute,
  showWebhookRoute,
  modifyWebhookRoute,
  rotateWebhookSecretRoute,
  deleteWebhookRoute,
  testWebhookRoute,
  showAccountCaRoute,
  rotateAccountCaRoute,
  showCertificatePolicyRoute,
  modifyCertificatePolicyRoute,
  createCertificateRequestTokenRoute,
  listCertificateRequestTokensRoute,
  showCertificateRequestTokenRoute,
  deleteCertificateRequestTokenRoute,
  listClientCertificatesRoute,
  showClientCertificateRoute,
  revokeClientCertificatesOfRoute,
  revokeClientCertificateRoute,
  redeemCertificateRoute,
  renewCertificateRoute,
  listAuditEventsRoute,
];
