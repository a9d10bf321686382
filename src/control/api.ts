// The control API under `/v1` (DESIGN 2.5): who calls, what may be sent, what goes wrong. What each call does is in
// the folder of its thing, one file each. It answers JSON and problem documents, and nothing is ever cached.

import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { ServiceError } from '../domain/service-error.ts';
import { problemAnswer } from '../http/problem.ts';
import { FOR_ANYONE, FOR_HOLDERS, IN_PERSON, isPermission, ONESELF } from './authorize.ts';
import { createCertificateTries } from './certificates/tries.ts';
import { addConsoleApp } from './console-app/routes.ts';
import { addConsoleRoutes } from './console/routes.ts';
import { createDeviceLimits } from './device-login/limits.ts';
import { addDeviceRoutes } from './device-login/routes.ts';
import type { ControlApi, ControlDeps, ControlEnv } from './control-deps.ts';
import { createFailedKeys } from './failed-keys.ts';
import { inputRefused, schemaFaults } from './input-fault.ts';
import { checkJsonBody } from './json-body.ts';
import { openApiDocument } from './openapi.ts';
import { addPkiFiles } from './certificates/pki-files.ts';
import { createRevocationLists } from '../pki/revocation-list.ts';
import { createOtherMethods } from './other-methods.ts';
import { addReferencePage } from './reference/reference-page.ts';
import { addRedeemPage } from './redeem-page/routes.ts';
import { createProvider, createProviderRoute } from './providers/create.ts';
import { createApiKey, createApiKeyRoute } from './people/create-api-key.ts';
import { createMember, createMemberRoute } from './people/create-member.ts';
import { deleteApiKey, deleteApiKeyRoute } from './people/delete-api-key.ts';
import { deleteMember, deleteMemberRoute } from './people/delete-member.ts';
import { inviteMember, inviteMemberRoute } from './people/invite-member.ts';
import { listApiKeys, listApiKeysRoute } from './people/list-api-keys.ts';
import { listMembers, listMembersRoute } from './people/list-members.ts';
import { modifyMember, modifyMemberRoute } from './people/modify-member.ts';
import { showAccount, showAccountRoute } from './people/show-account.ts';
import { createShare, createShareRoute } from './shares/create.ts';
import { deleteProvider, deleteProviderRoute } from './providers/delete.ts';
import { deleteShare, deleteShareRoute } from './shares/delete.ts';
import { endSession, endSessionRoute } from './sessions/end.ts';
import { endSessionsOf, endSessionsOfRoute } from './sessions/end-of.ts';
import { listAuditEvents, listAuditEventsRoute } from './records/list-audit-events.ts';
import { listProviders, listProvidersRoute } from './providers/list.ts';
import { listSessions, listSessionsRoute } from './sessions/list.ts';
import { listShares, listSharesRoute } from './shares/list.ts';
import { modifyProvider, modifyProviderRoute } from './providers/modify.ts';
import { modifyShare, modifyShareRoute } from './shares/modify.ts';
import { showProvider, showProviderRoute } from './providers/show.ts';
import { showShare, showShareRoute } from './shares/show.ts';
import { testProvider, testProviderRoute } from './providers/try.ts';
import { createHost, createHostRoute } from './hosts/create.ts';
import { deleteHost, deleteHostRoute } from './hosts/delete.ts';
import { listHosts, listHostsRoute } from './hosts/list.ts';
import { showApiKey, showApiKeyRoute } from './people/show-api-key.ts';
import { showMember, showMemberRoute } from './people/show-member.ts';
import { showHost, showHostRoute } from './hosts/show.ts';
import { testShare, testShareRoute } from './shares/try.ts';
import { watchShareRequests, watchShareRequestsRoute } from './shares/watch-requests.ts';
import { verifyHost, verifyHostRoute } from './hosts/verify.ts';
import { listGateways, listGatewaysRoute } from './records/list-gateways.ts';
import { showOverview, showOverviewRoute } from './records/show-overview.ts';
import { showStatus, showStatusRoute } from './records/show-status.ts';
import { showAccountCa, showAccountCaRoute } from './certificates/show-authority.ts';
import { rotateAccountCa, rotateAccountCaRoute } from './certificates/rotate-authority.ts';
import { showCertificatePolicy, showCertificatePolicyRoute } from './certificates/show-policy.ts';
import { modifyCertificatePolicy, modifyCertificatePolicyRoute } from './certificates/modify-policy.ts';
import {
  createCertificateRequestToken,
  createCertificateRequestTokenRoute,
} from './certificates/create-token.ts';
import {
  listCertificateRequestTokens,
  listCertificateRequestTokensRoute,
} from './certificates/list-tokens.ts';
import { showCertificateRequestToken, showCertificateRequestTokenRoute } from './certificates/show-token.ts';
import {
  deleteCertificateRequestToken,
  deleteCertificateRequestTokenRoute,
} from './certificates/delete-token.ts';
import { listClientCertificates, listClientCertificatesRoute } from './certificates/list.ts';
import { showClientCertificate, showClientCertificateRoute } from './certificates/show.ts';
import { revokeClientCertificatesOf, revokeClientCertificatesOfRoute } from './certificates/revoke-of.ts';
import { revokeClientCertificate, revokeClientCertificateRoute } from './certificates/revoke.ts';
import { redeemCertificate, redeemCertificateRoute } from './certificates/redeem.ts';
import { renewCertificate, renewCertificateRoute } from './certificates/renew.ts';
import { createWebhook, createWebhookRoute } from './webhooks/create.ts';
import { listWebhooks, listWebhooksRoute } from './webhooks/list.ts';
import { showWebhook, showWebhookRoute } from './webhooks/show.ts';
import { modifyWebhook, modifyWebhookRoute } from './webhooks/modify.ts';
import { deleteWebhook, deleteWebhookRoute } from './webhooks/delete.ts';
import { rotateWebhookSecret, rotateWebhookSecretRoute } from './webhooks/rotate-secret.ts';
import { testWebhook, testWebhookRoute } from './webhooks/try.ts';
import { decideDeviceLogin, decideDeviceLoginRoute } from './device-login/decide.ts';
import { findDeviceLogin, findDeviceLoginRoute } from './device-login/find.ts';
import { showCaller, showCallerRoute } from './own/show-caller.ts';
import { showMe, showMeRoute } from './own/show-me.ts';
import { listOwnSessions, listOwnSessionsRoute } from './own/list-sessions.ts';
import { endOwnSession, endOwnSessionRoute } from './own/end-session.ts';
import { endAllOwnSessions, endAllOwnSessionsRoute } from './own/end-sessions.ts';
import { listOwnCertificates, listOwnCertificatesRoute } from './own/list-certificates.ts';
import { revokeOwnCertificate, revokeOwnCertificateRoute } from './own/revoke-certificate.ts';
import { renewOwnCertificate, renewOwnCertificateRoute } from './own/renew-certificate.ts';
import { limitCalls } from './call-limits.ts';
import { createRenewalLimit } from './own/renewal-limit.ts';
import { whoCalls } from './who-calls.ts';
import { createTestBudget } from './test-budget.ts';
import { createVerificationLimit } from './hosts/verification-limit.ts';

/** `fetch(request, { address, requestId })` answers one call; `controlHandler()` puts it behind node:http. */
export function createControlApi(deps: ControlDeps): ControlApi {
  const api: ControlApi = new OpenAPIHono<ControlEnv>({
    defaultHook: (result) => {
      if (!result.success) throw inputRefused(schemaFaults(result.error.issues));
    },
  });
  api.onError((error, c) => problem(error, c, deps));
  api.notFound((c) => {
    throw new ServiceError('not_found', `Cannot find ${c.req.path}: there is no such collection`);
  });
  const listOf = createRevocationLists(deps);
  addPkiFiles(api, deps, listOf);
  api.use(async (c, next) => {
    await next();
    if (c.res.headers.get('cache-control') === null) c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
    // No page of another site, of a sibling share either, may load an answer as a script, an image or a frame's part.
    c.header('cross-origin-resource-policy', 'same-origin');
    c.header('x-request-id', c.env.requestId);
  });
  // Made when somebody asks: to describe everything takes a tenth of the time that the service may take to start.
  let description: object | null = null;
  const described = () => (description ??= openApiDocument());
  let text: string | null = null;
  api.get('/openapi.json', (c) =>
    c.body((text ??= JSON.stringify(described())), 200, { 'content-type': 'application/json' }),
  );
  addReferencePage(api, described);
  const failedKeys = createFailedKeys(deps.now);
  addConsoleRoutes(api, { ...deps, failedKeys });
  const deviceDeps = { ...deps, deviceLimits: createDeviceLimits(deps.now) };
  addDeviceRoutes(api, deviceDeps);
  addRedeemPage(api, deps);
  addConsoleApp(api, deps);
  const otherMethods = createOtherMethods(api);
  const tries = createCertificateTries(deps.now);
  // Before the check of who calls: whoever holds a token may.
  api.openapi(redeemCertificateRoute, redeemCertificate({ ...deps, tries }));
  // So it is here: the certificate is the credential.
  api.openapi(renewCertificateRoute, renewCertificate({ ...deps, tries }));
  api.use('/v1/*', async (c, next) => {
    c.set('authenticated', await whoCalls({ ...deps, failedKeys }, c));
    otherMethods.refuseNamed(c.req);
    // Of a path that is not there, or without that method, no body is looked at.
    if (matchedRoutes(c).some(({ method }) => method === c.req.method)) await checkJsonBody(c.req);
    await next();
  });
  api.use('/v1/*', limitCalls(deps));
  api.openapi(showStatusRoute, showStatus(deps));
  api.openapi(showOverviewRoute, showOverview(deps));
  api.openapi(listGatewaysRoute, listGateways(deps));
  api.openapi(showAccountRoute, showAccount(deps));
  api.openapi(createMemberRoute, createMember(deps));
  api.openapi(listMembersRoute, listMembers(deps));
  api.openapi(showMemberRoute, showMember(deps));
  api.openapi(modifyMemberRoute, modifyMember(deps));
  api.openapi(inviteMemberRoute, inviteMember(deps));
  api.openapi(deleteMemberRoute, deleteMember(deps));
  api.openapi(createApiKeyRoute, createApiKey(deps));
  api.openapi(listApiKeysRoute, listApiKeys(deps));
  api.openapi(showApiKeyRoute, showApiKey(deps));
  api.openapi(deleteApiKeyRoute, deleteApiKey(deps));
  api.openapi(createShareRoute, createShare(deps));
  api.openapi(listSharesRoute, listShares(deps));
  api.openapi(showShareRoute, showShare(deps));
  api.openapi(modifyShareRoute, modifyShare(deps));
  api.openapi(deleteShareRoute, deleteShare(deps));
  api.openapi(testShareRoute, testShare(deps));
  const callerNow = (c: Context<ControlEnv>) => whoCalls({ ...deps, failedKeys }, c);
  api.openapi(watchShareRequestsRoute, watchShareRequests({ ...deps, callerNow }));
  const proveDeps = { ...deps, verificationLimit: createVerificationLimit(deps.now) };
  api.openapi(createHostRoute, createHost(proveDeps));
  api.openapi(listHostsRoute, listHosts(deps));
  api.openapi(showHostRoute, showHost(deps));
  api.openapi(verifyHostRoute, verifyHost(proveDeps));
  api.openapi(deleteHostRoute, deleteHost(deps));
  api.openapi(createProviderRoute, createProvider(deps));
  api.openapi(listProvidersRoute, listProviders(deps));
  api.openapi(showProviderRoute, showProvider(deps));
  api.openapi(modifyProviderRoute, modifyProvider(deps));
  api.openapi(deleteProviderRoute, deleteProvider(deps));
  api.openapi(testProviderRoute, testProvider({ ...deps, countTest: createTestBudget(deps.now) }));
  api.openapi(listSessionsRoute, listSessions(deps));
  api.openapi(endSessionRoute, endSession(deps));
  api.openapi(endSessionsOfRoute, endSessionsOf(deps));
  api.openapi(createWebhookRoute, createWebhook(deps));
  api.openapi(listWebhooksRoute, listWebhooks(deps));
  api.openapi(showWebhookRoute, showWebhook(deps));
  api.openapi(modifyWebhookRoute, modifyWebhook(deps));
  api.openapi(rotateWebhookSecretRoute, rotateWebhookSecret(deps));
  api.openapi(deleteWebhookRoute, deleteWebhook(deps));
  api.openapi(testWebhookRoute, testWebhook({ ...deps, countTest: createTestBudget(deps.now) }));
  api.openapi(showAccountCaRoute, showAccountCa({ ...deps, listOf }));
  api.openapi(rotateAccountCaRoute, rotateAccountCa({ ...deps, listOf }));
  api.openapi(showCertificatePolicyRoute, showCertificatePolicy(deps));
  api.openapi(modifyCertificatePolicyRoute, modifyCertificatePolicy(deps));
  api.openapi(createCertificateRequestTokenRoute, createCertificateRequestToken(deps));
  api.openapi(listCertificateRequestTokensRoute, listCertificateRequestTokens(deps));
  api.openapi(showCertificateRequestTokenRoute, showCertificateRequestToken(deps));
  api.openapi(deleteCertificateRequestTokenRoute, deleteCertificateRequestToken(deps));
  api.openapi(listClientCertificatesRoute, listClientCertificates(deps));
  api.openapi(showClientCertificateRoute, showClientCertificate(deps));
  api.openapi(revokeClientCertificatesOfRoute, revokeClientCertificatesOf(deps));
  api.openapi(revokeClientCertificateRoute, revokeClientCertificate(deps));
  api.openapi(listAuditEventsRoute, listAuditEvents(deps));
  api.openapi(showCallerRoute, showCaller(deps));
  api.openapi(findDeviceLoginRoute, findDeviceLogin(deviceDeps));
  api.openapi(decideDeviceLoginRoute, decideDeviceLogin(deviceDeps));
  api.openapi(showMeRoute, showMe());
  api.openapi(listOwnSessionsRoute, listOwnSessions(deps));
  api.openapi(endOwnSessionRoute, endOwnSession(deps));
  api.openapi(endAllOwnSessionsRoute, endAllOwnSessions(deps));
  api.openapi(listOwnCertificatesRoute, listOwnCertificates(deps));
  api.openapi(revokeOwnCertificateRoute, revokeOwnCertificate(deps));
  api.openapi(
    renewOwnCertificateRoute,
    renewOwnCertificate({ ...deps, renewalLimit: createRenewalLimit(deps.now) }),
  );
  otherMethods.refuseRest();
  requirePermissions(api);
  return api;
}

/** An operation that anybody could call would be a mistake, found when the service starts. */
function requirePermissions(api: ControlApi): void {
  for (const definition of api.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue;
    const { method, path, 'x-permission': permission } = definition.route;
    if (!isPermission(permission) && !OTHER_CREDENTIALS.has(permission))
      throw new Error(`Cannot serve ${method} ${path}: it needs no permission`);
  }
}

const OTHER_CREDENTIALS: ReadonlySet<unknown> = new Set([
  ONESELF,
  IN_PERSON,
  FOR_ANYONE['x-permission'],
  FOR_HOLDERS['x-permission'],
]);

function problem(error: unknown, c: Context<ControlEnv>, { log }: ControlDeps): Response {
  const { requestId } = c.env;
  const fault =
    error instanceof ServiceError
      ? error
      : new ServiceError('internal', 'Cannot answer the call', { cause: error });
  if (fault.fault.status >= 500)
    log.error({ err: fault, requestId, method: c.req.method, path: c.req.path }, 'Cannot answer a call');
  const answer = problemAnswer(fault, requestId);
  return new Response(answer.body, {
    status: answer.status,
    headers: answer.headers.map(([name, value]): [string, string] => [name, value]),
  });
}
