// The login page of the certified provider: one field, and a consent that is given without asking.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from './escape-html.ts';
import { readBody } from './loopback-server.ts';
import type { InteractionDetails, ProviderLibrary } from './provider-library.ts';

/** The page of one field; a consent that is asked for is given at once. */
export async function interact(
  provider: ProviderLibrary,
  accountOf: (email: string) => { readonly acr?: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const details = await provider.interactionDetails(request, response);
  if (details.prompt.name === 'consent') return consent(provider, details, { request, response });
  if (request.method !== 'POST') {
    const hint = typeof details.params.login_hint === 'string' ? details.params.login_hint : '';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(loginPage(hint));
    return;
  }
  const fields = new URLSearchParams(await readBody(request));
  if (fields.get('deny') === 'yes') {
    await provider.interactionFinished(
      request,
      response,
      { error: 'access_denied' },
      { mergeWithLastSubmission: false },
    );
    return;
  }
  const email = fields.get('email') ?? '';
  const { acr } = accountOf(email);
  await provider.interactionFinished(
    request,
    response,
    { login: { accountId: email, ...(acr === undefined ? {} : { acr }) } },
    { mergeWithLastSubmission: false },
  );
}

async function consent(
  provider: ProviderLibrary,
  details: InteractionDetails,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<void> {
  const grant =
    details.grantId === undefined
      ? new provider.Grant({ accountId: details.session?.accountId, clientId: details.params.client_id })
      : await provider.Grant.find(details.grantId);
  grant.addOIDCScope(String(details.params.scope ?? 'openid'));
  grant.addOIDCClaims(['email', 'email_verified', 'name', 'sub']);
  const grantId = await grant.save();
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  );
}

function loginPage(hint: string): string {
  return `<!doctype html><html lang="en"><title>Stand-in provider</title><h1>Log in</h1>
<form method="post"><label>Email <input name="email" type="text" value="${escapeHtml(hint)}" autofocus></label>
<button id="login">Log in</button></form>
<form method="get" action="#"><button id="nothing">Not now</button></form></html>`;
}
