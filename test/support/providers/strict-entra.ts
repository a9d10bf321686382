// Microsoft Entra ID as a stand-in, as far as groups go: object ids in the id token, up to its limit; beyond
// that the token says where they are, at an address of an API that is no more, and Microsoft Graph tells them
// in pages, to the person's own access token with the right permission. User info has none.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from './loopback-server.ts';
import { startOpenIdStandIn } from './openid-stand-in.ts';
import type { OpenIdStandIn, StandInClient } from './openid-stand-in.ts';

export type EntraPerson = {
  /** Object ids. */
  groups: readonly string[];
  /** Values of app roles. */
  roles: readonly unknown[];
  /** Whether groups that are too many are told of by `hasgroups`, in place of `_claim_names`. */
  hasGroups: boolean;
};

export type StrictEntra = OpenIdStandIn & {
  readonly person: (email: string) => EntraPerson;
  readonly graph: {
    /** How many groups a page has; a status to answer in place of any, with its Retry-After. */
    pageSize: number;
    status: number;
    /** In place of the next page's address. */
    nextLink: string | null;
    requests: number;
    /** Whether the metadata name it. */
    named: boolean;
  };
};

export async function startStrictEntra(clients: readonly StandInClient[]): Promise<StrictEntra> {
  const people = new Map<string, EntraPerson>();
  const person = (email: string): EntraPerson => {
    const known = people.get(email) ?? { groups: [], roles: [], hasGroups: false };
    people.set(email, known);
    return known;
  };
  const tokens = new Map<string, string>();
  const graph = { pageSize: 999, status: 200, nextLink: null, requests: 0, named: true };
  const standIn: OpenIdStandIn = await startOpenIdStandIn(
    { clients },
    {
      metadata: (document) => ({
        ...document,
        ...(graph.named ? { msgraph_host: new URL(standIn.issuer).host } : {}),
      }),
      claims: (claims) => ({ ...claims, ...groupClaims(person(String(claims['email']))) }),
      tokenAnswer: (body, { email }) => {
        tokens.set(String(body['access_token']), email);
        return body;
      },
      intercept(request, response, path) {
        if (path !== '/v1.0/me/transitiveMemberOf') return false;
        graph.requests++;
        const email = tokens.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
        if (email === undefined) sendJson(response, 401, { error: { code: 'InvalidAuthenticationToken' } });
        else sendPage({ ...graph, groups: person(email).groups }, request, response);
        return true;
      },
    },
  );
  return Object.assign(standIn, { person, graph });
}

function groupClaims({ groups, roles, hasGroups }: EntraPerson): Record<string, unknown> {
  const said = roles.length === 0 ? {} : { roles };
  if (groups.length === 0) return said;
  if (groups.length <= MOST_IN_TOKEN) return { ...said, groups };
  if (hasGroups) return { ...said, hasgroups: true };
  const endpoint = 'https://graph.windows.net/tenant/users/person/getMemberObjects';
  return { ...said, _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint } } };
}

type Asked = {
  readonly groups: readonly string[];
  readonly pageSize: number;
  readonly status: number;
  readonly nextLink: string | null;
};

function sendPage(asked: Asked, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  if (asked.status !== 200) {
    response.setHeader('retry-after', '17');
    return sendJson(response, asked.status, { error: { code: 'Stand-in' } });
  }
  if (url.searchParams.get('$select') !== 'id')
    return sendJson(response, 400, { error: { code: 'BadRequest' } });
  const from = Number(url.searchParams.get('$skiptoken') ?? 0);
  const until = from + Math.min(asked.pageSize, Number(url.searchParams.get('$top') ?? 100));
  const value: object[] = asked.groups
    .slice(from, until)
    .map((id) => ({ '@odata.type': '#microsoft.graph.group', id }));
  if (from === 0) value.push({ '@odata.type': '#microsoft.graph.directoryRole', id: DIRECTORY_ROLE });
  url.searchParams.set('$skiptoken', String(until));
  const next = until < asked.groups.length ? { '@odata.nextLink': asked.nextLink ?? url.href } : {};
  sendJson(response, 200, { '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata', ...next, value });
}

/** Of JWTs. */
const MOST_IN_TOKEN = 200;
const DIRECTORY_ROLE = '00000000-0000-4000-8000-00000000d00d';
