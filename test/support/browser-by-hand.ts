// A browser without rendering: one cookie jar, plain requests, redirects only where they are asked for, and
// names below `.localhost` on this machine as browsers have it (RFC 6761 section 6.3). For end-to-end tests
// over HTTP/1.1.

import assert from 'node:assert/strict';
import * as http from 'node:http';
import * as https from 'node:https';
import { createCookieJar } from './cookie-jar.ts';
import type { CookieJar } from './cookie-jar.ts';
import { readForms } from './html-form.ts';
import type { HtmlForm } from './html-form.ts';

export type BrowserAnswer = {
  /** The address that was asked for. */
  readonly url: URL;
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly setCookies: readonly string[];
  /** `Location` resolved against `url`; null when there is none. */
  readonly location: URL | null;
  readonly body: string;
};

export type BrowserRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
};

export type Browser = {
  readonly jar: CookieJar;
  /** One request with the jar's cookies and nothing else that a browser adds. Never follows a redirect. */
  readonly request: (url: string | URL, request?: BrowserRequest) => Promise<BrowserAnswer>;
  /** One page load: `request` with the headers of a top-level navigation. Never follows a redirect. */
  readonly open: (url: string | URL, request?: BrowserRequest) => Promise<BrowserAnswer>;
  /** Page loads until an answer is no redirect. `until` stops before an address is asked for. */
  readonly follow: (url: string | URL, until?: (next: URL) => boolean) => Promise<BrowserWalk>;
  /** Submits a form of a page, with `values` over what is filled in, and follows. */
  readonly submit: (
    page: BrowserAnswer,
    form: HtmlForm,
    values: Readonly<Record<string, string>>,
  ) => Promise<BrowserAnswer>;
};

/** `last` is the answer that ended it; `stopped` the address that `until` did not let be asked for. */
export type BrowserWalk = {
  readonly last: BrowserAnswer;
  readonly answers: readonly BrowserAnswer[];
  readonly stopped: URL | null;
};

export type BrowserOptions = {
  /** PEM certificates to trust instead of the usual ones. The certificate is always checked. */
  readonly ca?: string;
  readonly now?: () => number;
  readonly userAgent?: string;
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The port of this machine that answers for every name over TLS that is none of it. */
  readonly securePort?: number;
};

export function createBrowser(options: BrowserOptions = {}): Browser {
  const jar = createCookieJar(options.now);
  const request = async (address: string | URL, init: BrowserRequest = {}) => {
    const url = new URL(address);
    const cookie = jar.header(url);
    const headers = {
      'user-agent': options.userAgent ?? 'Mozilla/5.0 (by hand)',
      ...(cookie === null ? {} : { cookie }),
      ...options.headers,
      ...init.headers,
    };
    const answer = await send(url, { ...init, headers }, options);
    jar.store(url, answer.setCookies);
    return answer;
  };
  const open = (address: string | URL, init: BrowserRequest = {}) =>
    request(address, { ...init, headers: { ...NAVIGATION_HEADERS, ...init.headers } });
  const follow = (address: string | URL, until?: (next: URL) => boolean) =>
    followFrom(open, new URL(address), until);
  const submit: Browser['submit'] = async (page, form, values) => {
    const action = new URL(form.action === '' ? page.url : form.action, page.url);
    const filled = new URLSearchParams({ ...Object.fromEntries(form.fields), ...values });
    if (form.method === 'GET') {
      action.search = filled.toString();
      return open(action);
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: page.url.origin };
    return open(action, { method: 'POST', headers, body: filled.toString() });
  };
  return { jar, request, open, follow, submit };
}

/**
 * Opens `start`, follows redirects, and at each page with a login form fills in `email`, until a page has
 * none. Works with all stand-ins in `providers/`, with the test provider of the quick start, and with
 * `emulate`.
 */
export async function walkLogin(
  browser: Browser,
  start: string | URL,
  login: { readonly email: string; readonly until?: (next: URL) => boolean },
): Promise<BrowserWalk> {
  let walk = await browser.follow(await acceptedAt(browser, new URL(start)), login.until);
  const answers = [...walk.answers];
  for (let page = 0; page < MAX_FORMS && walk.stopped === null; page++) {
    const form = findLoginForm(walk.last, login.email);
    if (form === undefined) break;
    const field = [...form.fields.keys()].find((name) => EMAIL_FIELDS.has(name));
    const filled = field === undefined || form.fields.get(field) !== '' ? {} : { [field]: login.email };
    const submitted = await browser.submit(walk.last, form, filled);
    answers.push(submitted);
    walk = await goOn(browser, submitted, login.until);
    answers.push(...walk.answers);
  }
  return { ...walk, answers };
}

/**
 * Where the page of an invitation sends the browser, with the first provider that it offers; any other
 * address as it is.
 */
export async function acceptedAt(browser: Browser, start: URL): Promise<URL> {
  if (start.pathname !== '/auth/invitation') return start;
  const ask = async (asked: Readonly<Record<string, string>>) => {
    const answer = await browser.request(new URL('/auth/invitation', start), {
      method: 'POST',
      headers: { origin: start.origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ invitation: start.hash.slice(1), ...asked }),
    });
    assert.equal(answer.status, 200, answer.body);
    return JSON.parse(answer.body) as { readonly providers?: readonly string[]; readonly url?: string };
  };
  const [provider = ''] = (await ask({})).providers ?? [];
  return new URL((await ask({ provider })).url ?? '');
}

async function goOn(
  browser: Browser,
  answer: BrowserAnswer,
  until?: (next: URL) => boolean,
): Promise<BrowserWalk> {
  if (answer.location === null) return { last: answer, answers: [], stopped: null };
  if (until?.(answer.location) === true) return { last: answer, answers: [], stopped: answer.location };
  return browser.follow(answer.location, until);
}

async function followFrom(
  open: Browser['open'],
  start: URL,
  until?: (next: URL) => boolean,
): Promise<BrowserWalk> {
  const answers: BrowserAnswer[] = [];
  let next = start;
  for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
    const last = await open(next);
    answers.push(last);
    if (last.location === null || last.status < 300 || last.status > 399)
      return { last, answers, stopped: null };
    if (until?.(last.location) === true) return { last, answers, stopped: last.location };
    next = last.location;
  }
  throw new Error(
    `Cannot follow ${start.href}: more than ${MAX_REDIRECTS} redirects, the last to ${next.href}`,
  );
}

/**
 * The form that holds this email (account choosers), has a field for one, or that a script would submit by
 * itself.
 */
function findLoginForm(page: BrowserAnswer, email: string): HtmlForm | undefined {
  const forms = readForms(page.body).filter((form) => form.method === 'POST');
  return (
    forms.find((form) => [...form.fields.values()].includes(email)) ??
    forms.find((form) => [...form.fields].some(([name, value]) => EMAIL_FIELDS.has(name) && value === '')) ??
    (page.body.includes('document.forms[0].submit()') ? forms[0] : undefined)
  );
}

function send(url: URL, init: BrowserRequest, { ca, securePort }: BrowserOptions): Promise<BrowserAnswer> {
  const secure = url.protocol === 'https:';
  assert.ok(secure || url.protocol === 'http:', `${url.href} is no web address`);
  const { promise, resolve, reject } = Promise.withResolvers<BrowserAnswer>();
  const body = init.body === undefined ? null : Buffer.from(init.body);
  const call = (secure ? https : http).request(url, {
    method: init.method ?? 'GET',
    headers: {
      host: url.host,
      ...init.headers,
      ...(body === null ? {} : { 'content-length': body.byteLength }),
    },
    agent: false,
    // As browsers have it, and not the 16 KiB of Node.
    maxHeaderSize: 256 * 1024,
    ...(isLocalName(url.hostname) ? { lookup: lookupLoopback } : {}),
    ...(secure && securePort !== undefined ? { lookup: lookupLoopback, port: securePort } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
  call.on('error', reject);
  call.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => resolve(answerOf(url, response, Buffer.concat(chunks).toString('utf8'))));
  });
  call.end(body ?? undefined);
  return promise;
}

function answerOf(url: URL, response: http.IncomingMessage, body: string): BrowserAnswer {
  const { location } = response.headers;
  return {
    url,
    status: response.statusCode ?? 0,
    headers: response.headers,
    setCookies: response.headers['set-cookie'] ?? [],
    location: location === undefined ? null : new URL(location, url),
    body,
  };
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function lookupLoopback(
  _host: string,
  options: { readonly all?: boolean | undefined },
  done: (...answer: never[]) => void,
): void {
  const answer = options.all === true ? [[{ address: '127.0.0.1', family: 4 }]] : ['127.0.0.1', 4];
  (done as (...answer: unknown[]) => void)(null, ...answer);
}

const MAX_REDIRECTS = 20;
const MAX_FORMS = 4;
const EMAIL_FIELDS: ReadonlySet<string> = new Set(['email', 'login', 'username']);
const NAVIGATION_HEADERS = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-site': 'none',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};
