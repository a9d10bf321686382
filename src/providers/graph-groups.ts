// The groups of a person who is in too many for a token of Microsoft Entra ID: asked of Microsoft Graph, at
// the host that the provider's metadata name, with the person's own access token. The address that the token
// itself names is of an API that is no more, and nobody's to choose but the provider's metadata.

import { ServiceError } from '../domain/service-error.ts';
import { MAX_GROUPS, tooManyGroups } from './claimed-values.ts';
import type { OutboundFetch } from './dialler.ts';
import { faultOfStatus } from './provider-fault.ts';
import type { Claims } from './provider-values.ts';
import type { Tokens } from './provider.ts';
import { retryAfterExtra } from './retry-after.ts';

export type GraphQuestion = {
  readonly provider: string;
  readonly issuer: string;
  readonly metadata: Claims;
  readonly fetch: OutboundFetch;
  readonly tokens: Tokens;
  readonly signal: AbortSignal | undefined;
};

/**
 * Object ids, as the claim `groups` has them. Throws `groups_unreadable` where Graph does not tell them,
 * `too_many_groups`, and what may pass as `provider_unreachable` or `provider_rate_limited`.
 */
export async function groupsOfGraph(question: GraphQuestion): Promise<readonly string[]> {
  const action = `read the groups of a person of ${question.provider}`;
  const first = graphUrl(question, action);
  const groups: string[] = [];
  let next: string | null = first.href;
  for (let page = 0; page < MAX_PAGES && groups.length <= MAX_GROUPS; page++) {
    const found: Page = await readPage(question, next, action);
    groups.push(...found.groups);
    if (found.next === null) return groups;
    next = withinGraph(found.next, first, action);
  }
  throw tooManyGroups('Graph tells of more than 1,000');
}

function graphUrl({ metadata, issuer }: GraphQuestion, action: string): URL {
  const host = metadata['msgraph_host'];
  // https, but for a provider on this machine.
  const { protocol } = new URL(issuer);
  const url = typeof host === 'string' && HOST.test(host) ? URL.parse(`${protocol}//${host}${PATH}`) : null;
  if (url !== null) return url;
  throw unreadable(action, 'the provider names another place for them, and none that is known');
}

/** The next page is of the same list, whatever the answer says. */
function withinGraph(text: string, first: URL, action: string): string {
  const url = URL.parse(text);
  if (url !== null && url.origin === first.origin && url.pathname === first.pathname) return url.href;
  throw new ServiceError('provider_error', `Cannot ${action}: the next page is at another place`);
}

type Page = { readonly groups: readonly string[]; readonly next: string | null };

async function readPage(
  { fetch, tokens, signal }: GraphQuestion,
  url: string,
  action: string,
): Promise<Page> {
  const authorization = `Bearer ${tokens.accessToken.reveal()}`;
  const headers = { accept: 'application/json', 'user-agent': 'doorward', authorization };
  const response = await fetch(url, { method: 'GET', headers, signal });
  if (REFUSALS.has(response.status)) throw unreadable(action, `Graph answers ${response.status}`);
  const { status, headers: said } = response;
  if (status !== 200)
    throw new ServiceError(faultOfStatus(status), `Cannot ${action}: Graph answers ${status}`, {
      extra: retryAfterExtra(said, Date.now()),
    });
  const { value, '@odata.nextLink': next } = asRecord(await response.json().catch(() => null));
  if (!Array.isArray(value) || (next !== undefined && typeof next !== 'string'))
    throw new ServiceError('provider_error', `Cannot ${action}: Graph answers no list`);
  return { groups: value.flatMap((each) => groupOf(each, action)), next: next ?? null };
}

/** Directory roles and administrative units are no groups. */
function groupOf(value: unknown, action: string): readonly string[] {
  const { '@odata.type': type, id } = asRecord(value);
  if (type !== '#microsoft.graph.group') return [];
  if (typeof id === 'string' && OBJECT_ID.test(id)) return [id];
  throw new ServiceError('provider_error', `Cannot ${action}: a group has no id`);
}

function unreadable(action: string, found: string): ServiceError {
  return new ServiceError('groups_unreadable', `Cannot ${action}: ${found}`, {
    hint: 'At Entra, give the application the delegated permission User.Read, or use app roles: groups_claim roles.',
  });
}

function asRecord(value: unknown): Claims {
  return typeof value === 'object' && value !== null ? (value as Claims) : {};
}

const PATH = '/v1.0/me/transitiveMemberOf?$select=id&$top=999';
/** Of a thousand groups, and what else people are in, in the largest pages that there are. */
const MAX_PAGES = 5;
const HOST = /^[a-z0-9.-]{1,253}(?::\d{1,5})?$/i;
const OBJECT_ID = /^[0-9a-f-]{36}$/i;
/** The access token is for another API, or lacks the permission. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 404]);
