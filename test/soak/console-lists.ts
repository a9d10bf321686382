// The console's lists, as the long run in a browser walks them.

import type { Client } from '../../src/client/client.ts';
import {
  API_KEY_ORDERS,
  CERTIFICATE_ORDERS,
  HOST_ORDERS,
  MEMBER_ORDERS,
  type Orders,
  REQUEST_TOKEN_ORDERS,
  SESSION_ORDERS,
  SHARE_ORDERS,
  type SortName,
  sortNames,
  WEBHOOK_ORDERS,
} from '../../src/domain/list-orders.ts';
import type { Question } from './shown-rows.ts';

/** `asks`: what the page asks for its rows. */
export type ConsoleList = {
  /** As its table is called. */
  readonly title: string;
  /** Below /console. */
  readonly at: string;
  readonly asks: Question;
  /** Where heads sort it. */
  readonly sort?: ListOrders;
  /** By what is typed: where the question has it. */
  readonly search?: { readonly box: string; readonly texts: Readonly<Record<string, string>> };
  /** What is done to rows that are selected, by its buttons: above the list, and in the question. */
  readonly act?: { readonly label: RegExp; readonly yes: string };
};

export type ListOrders = {
  /** As the API calls them. */
  readonly names: readonly string[];
  /** The one that the page has at first. */
  readonly unsaid: string;
  /** What the first row begins with, as the API answers. */
  readonly firstOf: (client: Client, sort: string) => Promise<string | undefined>;
};

/** A text that no row has. */
export const NOTHING = 'nothing-has-it';

export const CONSOLE_LISTS: readonly ConsoleList[] = [
  {
    title: 'Shares',
    at: '/shares',
    asks: { path: '/v1/shares', query: { include: 'figures' } },
    sort: ordersOf(
      SHARE_ORDERS,
      async ({ shares }, sort) => (await shares.list({ sort, ...ONE })).items[0]?.name,
    ),
    search: {
      box: 'Find shares by name, target or provider',
      texts: { 'app-11': 'q', app: 'q', [NOTHING]: 'q' },
    },
    act: { label: /^Switch off/, yes: 'Switch off' },
  },
  {
    title: 'Sessions',
    at: '/sessions',
    asks: { path: '/v1/sessions' },
    sort: ordersOf(
      SESSION_ORDERS,
      async ({ sessions }, sort) => (await sessions.list({ sort, state: 'active', ...ONE })).items[0]?.email,
    ),
    search: {
      box: 'Person',
      texts: { 'son-11@': 'q', 'corp.example': 'q', 'person-11@corp.example': 'email' },
    },
    act: { label: /^End/, yes: 'End them' },
  },
  {
    title: 'Certificates',
    at: '/certificates',
    asks: { path: '/v1/client-certificates' },
    sort: ordersOf(
      CERTIFICATE_ORDERS,
      async ({ certificates }, sort) => (await certificates.list({ sort, ...ONE })).items[0]?.commonName,
    ),
    search: { box: 'Find certificates', texts: { 'son-11@': 'q', 'corp.example': 'q', ab000000: 'q' } },
    act: { label: /^Revoke/, yes: 'Revoke' },
  },
  {
    title: 'Request tokens',
    at: '/certificates/tokens',
    asks: { path: '/v1/certificate-request-tokens' },
    sort: ordersOf(
      REQUEST_TOKEN_ORDERS,
      async ({ certificates }, sort) =>
        (await certificates.listTokens({ sort, ...ONE })).items[0]?.commonName,
    ),
    act: { label: /^Delete/, yes: 'Delete' },
  },
  {
    title: 'Audit events, newest first',
    at: '/audit',
    asks: { path: '/v1/audit-events' },
    search: { box: 'Search', texts: { 'person-11': 'text', 'corp.example': 'text', refused: 'text' } },
  },
  {
    title: 'Active sessions of this person',
    at: `/sessions/access?email=${encodeURIComponent('person-1@corp.example')}`,
    asks: { path: '/v1/sessions', query: { email: 'person-1@corp.example' } },
    act: { label: /^End/, yes: 'End them' },
  },
  {
    title: 'What this person can open',
    at: `/sessions/access?email=${encodeURIComponent('person-1@corp.example')}`,
    asks: { path: '/v1/people/shares' },
  },
  {
    title: 'Members',
    at: '/people',
    asks: { path: '/v1/members' },
    sort: ordersOf(
      MEMBER_ORDERS,
      async ({ members }, sort) => (await members.list({ sort, ...ONE })).items[0]?.email,
    ),
    act: { label: /^Remove/, yes: 'Remove' },
  },
  {
    title: 'API keys',
    at: '/people/keys',
    asks: { path: '/v1/api-keys' },
    sort: ordersOf(
      API_KEY_ORDERS,
      async ({ apiKeys }, sort) => (await apiKeys.list({ sort, ...ONE })).items[0]?.name,
    ),
    act: { label: /^Delete/, yes: 'Delete' },
  },
  {
    title: 'Host names',
    at: '/shares/+hosts',
    asks: { path: '/v1/hosts' },
    sort: ordersOf(
      HOST_ORDERS,
      async ({ hosts }, sort) => (await hosts.list({ sort, ...ONE })).items[0]?.host,
    ),
    act: { label: /^Delete/, yes: 'Delete' },
  },
  {
    title: 'Webhooks',
    at: '/webhooks',
    asks: { path: '/v1/webhooks' },
    sort: ordersOf(WEBHOOK_ORDERS, async ({ webhooks }, sort) =>
      (await webhooks.list({ sort, ...ONE })).items[0]?.url.replace('https://', '').replace('/', ''),
    ),
    act: { label: /^Switch off/, yes: 'Switch off' },
  },
];

function ordersOf<Key extends string>(
  orders: Orders<Key>,
  firstOf: (client: Client, sort: SortName<Key>) => Promise<string | undefined>,
): ListOrders {
  return {
    names: sortNames(orders),
    unsaid: orders.unsaid,
    firstOf: (client, sort) => firstOf(client, sort as SortName<Key>),
  };
}

const ONE = { limit: 1 } as const;
