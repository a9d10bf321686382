// The one question: who are you? GET shows the people, POST takes the choice. Plain forms, so curl can answer
// too: `curl -d email=ada@example.com <the same address>`.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { loginPage, type Page, sendPage, startAgainPage } from './page.ts';
import { findPerson, type Person } from './people.ts';

export async function answerInteraction(
  request: IncomingMessage,
  response: ServerResponse,
  parts: { readonly provider: Provider; readonly people: readonly Person[] },
): Promise<void> {
  const { provider, people } = parts;
  const interaction = await provider.interactionDetails(request, response).catch(() => null);
  if (interaction === null) return sendPage(request, response, startAgainPage());
  const client = await provider.Client.find(String(interaction.params['client_id']));
  const show = (status: number, problem: string | null): Page =>
    loginPage({ status, client: client?.clientName ?? 'an application', people, problem });
  if (request.method !== 'POST') return sendPage(request, response, show(200, null));
  const form = await readForm(request);
  if (form === null) return sendPage(request, response, show(413, 'The form is too large.'));
  if (form.has('cancel'))
    return provider.interactionFinished(request, response, {
      error: 'access_denied',
      error_description: 'The login was cancelled',
    });
  const typed = form.get('email') ?? '';
  const person = findPerson(people, typed);
  if (person === null) return sendPage(request, response, show(422, 'This is not an email address.'));
  const { name } = interaction.prompt;
  return provider.interactionFinished(
    request,
    response,
    { login: { accountId: person.email, remember: true }, ...(name === 'login' ? {} : { [name]: {} }) },
    { mergeWithLastSubmission: true },
  );
}

/** The fields of a form, or null when it is larger than any of ours. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  let text = '';
  request.setEncoding('utf8');
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > MAX_FORM_LENGTH) return null;
  }
  return new URLSearchParams(text);
}

// An address of 254 characters, percent-encoded, and some room.
const MAX_FORM_LENGTH = 4096;
