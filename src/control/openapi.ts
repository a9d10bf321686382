// The API's description (OpenAPI 3.1), made from the schemas that check requests.

import { OpenAPIHono } from '@hono/zod-openapi';
import { decideDeviceLoginRoute } from './device-login/decide.ts';
import { findDeviceLoginRoute } from './device-login/find.ts';
import { showCallerRoute } from './own/show-caller.ts';
import { showMeRoute } from './own/show-me.ts';
import { listOwnSessionsRoute } from './own/list-sessions.ts';
import { endOwnSessionRoute } from './own/end-session.ts';
import { endAllOwnSessionsRoute } from './own/end-sessions.ts';
import { listOwnCertificatesRoute } from './own/list-certificates.ts';
import { revokeOwnCertificateRoute } from './own/revoke-certificate.ts';
import { renewOwnCertificateRoute } from './own/renew-certificate.ts';
import { createApiKeyRoute } from './people/create-api-key.ts';
import { createMemberRoute } from './people/create-member.ts';
import { deleteApiKeyRoute } from './people/delete-api-key.ts';
import { deleteMemberRoute } from './people/delete-member.ts';
import { inviteMemberRoute } from './people/invite-member.ts';
import { listApiKeysRoute } from './people/list-api-keys.ts';
import { listMembersRoute } from './people/list-members.ts';
import { modifyMemberRoute } from './people/modify-member.ts';
import { showAccountRoute } from './people/show-account.ts';
import { createHostRoute } from './hosts/create.ts';
import { deleteHostRoute } from './hosts/delete.ts';
import { listHostsRoute } from './hosts/list.ts';
import { showApiKeyRoute } from './people/show-api-key.ts';
import { showMemberRoute } from './people/show-member.ts';
import { showHostRoute } from './hosts/show.ts';
import { testShareRoute } from './shares/try.ts';
import { watchShareRequestsRoute } from './shares/watch-requests.ts';
import { verifyHostRoute } from './hosts/verify.ts';
import { createProviderRoute } from './providers/create.ts';
import { deleteProviderRoute } from './providers/delete.ts';
import { listProvidersRoute } from './providers/list.ts';
import { modifyProviderRoute } from './providers/modify.ts';
import { showProviderRoute } from './providers/show.ts';
import { testProviderRoute } from './providers/try.ts';
import { listGatewaysRoute } from './records/list-gateways.ts';
import { showOverviewRoute } from './records/show-overview.ts';
import { showStatusRoute } from './records/show-status.ts';
import { createShareRoute } from './shares/create.ts';
import { deleteShareRoute } from './shares/delete.ts';
import { endSessionRoute } from './sessions/end.ts';
import { endSessionsOfRoute } from './sessions/end-of.ts';
import { listAuditEventsRoute } from './records/list-audit-events.ts';
import { listSessionsRoute } from './sessions/list.ts';
import { listSharesRoute } from './shares/list.ts';
import { modifyShareRoute } from './shares/modify.ts';
import { showShareRoute } from './shares/show.ts';
import { showAccountCaRoute } from './certificates/show-authority.ts';
import { rotateAccountCaRoute } from './certificates/rotate-authority.ts';
import { showCertificatePolicyRoute } from './certificates/show-policy.ts';
import { modifyCertificatePolicyRoute } from './certificates/modify-policy.ts';
import { createCertificateRequestTokenRoute } from './certificates/create-token.ts';
import { listCertificateRequestTokensRoute } from './certificates/list-tokens.ts';
import { showCertificateRequestTokenRoute } from './certificates/show-token.ts';
import { deleteCertificateRequestTokenRoute } from './certificates/delete-token.ts';
import { listClientCertificatesRoute } from './certificates/list.ts';
import { showClientCertificateRoute } from './certificates/show.ts';
import { revokeClientCertificatesOfRoute } from './certificates/revoke-of.ts';
import { revokeClientCertificateRoute } from './certificates/revoke.ts';
import { renewCertificateRoute } from './certificates/renew.ts';
import { redeemCertificateRoute } from './certificates/redeem.ts';
import { createWebhookRoute } from './webhooks/create.ts';
import { listWebhooksRoute } from './webhooks/list.ts';
import { showWebhookRoute } from './webhooks/show.ts';
import { modifyWebhookRoute } from './webhooks/modify.ts';
import { deleteWebhookRoute } from './webhooks/delete.ts';
import { rotateWebhookSecretRoute } from './webhooks/rotate-secret.ts';
import { testWebhookRoute } from './webhooks/try.ts';

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
