// `GET` and `POST /<provider>/request-access`: the form by which somebody whom a share refused asks to be let
// in, and what becomes of it. It believes the sealed statement alone, reads no cookie, and lets nobody in.
// One page for all shares, at an origin where no backend answers, so that no app asks in its visitors' names.

import { MAX_MESSAGE_LENGTH, requestMessage } from '../domain/access-request.ts';
import { newId } from '../domain/id.ts';
import { loginRefusal } from '../domain/login-admission.ts';
import { ServiceError } from '../domain/service-error.ts';
import { hostOrigin } from '../domain/share-name.ts';
import { hasRepeatedParameter } from '../domain/single-parameters.ts';
import type { Answer } from '../http/answer.ts';
import { isFormType } from '../http/form-type.ts';
import type { PageContent } from '../http/page-html.ts';
import { renderPage } from '../http/page.ts';
import type { Provider } from '../providers/provider.ts';
import type { Asked } from '../store/access/access-request.ts';
import { requestAccessPath } from './access-statement.ts';
import { eventOf } from './audit.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { refusalFacts, type RefusedPerson, refusedPerson } from './refused-person.ts';

/** Throws `request_invalid`, `request_expired`, `foreign_origin`, `rate_limited`; as `refusedPerson()`. */
export async function requestAccess(
  deps: LoginDeps,
  provider: Provider,
  request: LoginHttpRequest,
): Promise<Answer> {
  const isSent = request.method === 'POST';
  const form = isSent ? sentForm(deps, request) : request.query;
  const sealed = form.get('statement') ?? '';
  const refused = judged(deps, provider, sealed);
  const detailsOf = async () => (await refusalFacts(deps, provider, refused)).details;
  if (!isSent) return page(deps, request, { ...formPage(provider, sealed), details: await detailsOf() });
  const message = requestMessage(form.get('message') ?? '');
  if (message === null)
    throw new ServiceError(
      'bad_request',
      `Cannot request access: the message is longer than ${MAX_MESSAGE_LENGTH} characters`,
    );
  requireSeldom(deps, request);
  const asked = await ask(deps, request, { ...refused, message });
  if (asked === 'full')
    throw new ServiceError('rate_limited', 'Cannot request access: too many requests wait already', {
      extra: { retryAfterSeconds: FULL_SECONDS },
    });
  const open = {
    label: 'Open the page',
    href: hostOrigin(refused.share.hosts[0]!, deps.shareBase),
    primary: true,
  };
  const actions = asked === 'granted' ? [open] : [];
  return page(deps, request, {
    ...(asked === 'granted' ? GRANTED : SENT),
    details: await detailsOf(),
    actions,
  });
}

/** For a share that takes requests now. */
function judged(deps: LoginDeps, provider: Provider, sealed: string): RefusedPerson {
  const refused = refusedPerson(deps, provider, { sealed, act: 'request access' });
  if (!refused.share.accessRequests)
    throw new ServiceError(
      'request_expired',
      `Cannot request access: ${refused.share.name} takes no requests`,
    );
  return refused;
}

/** Throws `foreign_origin` for a form of any other page, and `bad_request` for what is no form. */
function sentForm(deps: LoginDeps, { headers, body }: LoginHttpRequest): URLSearchParams {
  const { origin, 'sec-fetch-site': site } = headers;
  // Without a referrer a browser gives `null` for its origin, of this page too.
  const isOwn =
    site === undefined
      ? origin === undefined || origin === 'null' || origin === deps.oauth.endpointUrl.origin
      : site === 'same-origin';
  if (!isOwn) throw new ServiceError('foreign_origin', 'Cannot request access: another site asks');
  const form = isFormType(headers['content-type']) ? new URLSearchParams(body ?? '') : null;
  if (form === null || typeof body !== 'string' || hasRepeatedParameter(form))
    throw new ServiceError('bad_request', 'Cannot request access: the body is no form, or not whole');
  return form;
}

function requireSeldom({ askLimit }: LoginDeps, { ip }: LoginHttpRequest): void {
  const retryAfterSeconds = askLimit?.count(ip) ?? null;
  if (retryAfterSeconds === null) return;
  throw new ServiceError('rate_limited', 'Cannot request access: too many requests from this network', {
    extra: { retryAfterSeconds },
  });
}

type Asking = RefusedPerson & { readonly message: string };

async function ask(
  deps: LoginDeps,
  request: LoginHttpRequest,
  { statement, share, message }: Asking,
): Promise<Asked> {
  const { shareId, providerName: provider, providerGeneration, email } = statement;
  // What they wrote is in the request alone: events go to other systems, which may take it for theirs.
  const about = { shareId, provider, email, reason: share.name };
  const { accountId } = share;
  const event = eventOf(deps, request, { kind: 'access.requested', accountId, ...about });
  const id = newId('arq');
  const isLetIn = loginRefusal(share, { provider, email }) === null;
  const row = {
    id,
    isLetIn,
    accountId,
    shareId,
    provider,
    providerGeneration,
    email,
    message,
    at: deps.now(),
  };
  const asked = await deps.accessRequests.ask(row, event);
  if (asked === 'asked') deps.audited(event);
  return asked;
}

function page(
  deps: LoginDeps,
  { requestId }: LoginHttpRequest,
  content: Pick<PageContent, 'title' | 'paragraphs' | 'details'> & Partial<PageContent>,
): Answer {
  return renderPage({ status: 200, tone: 'info', actions: [], requestId, ...content }, deps.brand);
}

function formPage(
  { name }: Provider,
  statement: string,
): Pick<PageContent, 'title' | 'paragraphs' | 'form'> & object {
  return {
    title: 'Request access',
    paragraphs: ['The owner of this address sees your request and decides. A message is optional.'],
    form: {
      action: requestAccessPath(name),
      hidden: { statement },
      text: { name: 'message', label: 'Message to the owner', maxLength: MAX_MESSAGE_LENGTH },
      submit: 'Request access',
    },
  };
}

/** The same for whoever waits or was dismissed: that is the owner's to tell. */
const SENT = {
  title: 'Your request was sent',
  paragraphs: ['The owner of this address can let you in. Open the page again later.'],
};
const GRANTED = {
  title: 'You already have access',
  paragraphs: ['The owner of this address granted your request.'],
};
const FULL_SECONDS = 3600;
