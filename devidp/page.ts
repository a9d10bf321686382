// The test provider's pages: HTML without script, each under a banner that says it is for trying only.

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'oidc-provider';
import type { Person } from './people.ts';
import { STYLE } from './style.ts';

/** `main` is HTML whose texts are escaped. */
export type Page = { readonly status: number; readonly title: string; readonly main: string };

export function loginPage(parts: {
  readonly status: number;
  readonly client: string;
  readonly people: readonly Person[];
  readonly problem: string | null;
}): Page {
  const problem =
    parts.problem === null ? '' : `<p class="problem" role="alert">${escape(parts.problem)}</p>`;
  const main = `<p>Choose a person to log in to <strong>${escape(parts.client)}</strong>. No password is required.</p>
${problem}<form method="post"><ul class="people">${parts.people.map(personButton).join('')}</ul></form>
<form method="post" class="other"><label for="email">Or another email address</label>
<div><input id="email" name="email" type="email" autocomplete="off" spellcheck="false" required placeholder="name@example.org"><button>Continue</button></div></form>
<form method="post"><button class="quiet" name="cancel" value="yes">Cancel, as if the provider refused</button></form>`;
  return { status: parts.status, title: 'Choose a test user', main };
}

export function homePage(issuer: string, people: readonly Person[]): Page {
  const rows = people
    .map(({ email, name }) => `<li>${escape(name)} <span>${escape(email)}</span></li>`)
    .join('');
  const main = `<p>This is a small OpenID provider for the quick start. Test logins with it, without an account anywhere.</p>
<dl><dt>Issuer</dt><dd><code>${escape(issuer)}</code></dd></dl><ul class="list">${rows}</ul>`;
  return { status: 200, title: 'Test provider', main };
}

export function startAgainPage(): Page {
  const main =
    '<p>This login has expired, or was started in another browser. Open the page that you wanted to see again.</p>';
  return { status: 400, title: 'Start the login again', main };
}

export function logOutPage(form: string): Page {
  const main = `<p>This logs you out of the test provider itself.</p>${form}
<p class="row"><button form="op.logoutForm" name="logout" value="yes">Log out</button>
<button class="quiet" form="op.logoutForm">Stay logged in</button></p>`;
  return { status: 200, title: 'Log out of the test provider?', main };
}

export function loggedOutPage(): Page {
  return {
    status: 200,
    title: 'You are logged out',
    main: '<p>You are logged out of the test provider. You can close this page.</p>',
  };
}

/** `out` is what OAuth tells of an error: `error`, `error_description`, `state`, `iss`. */
export function faultPage(out: Readonly<Record<string, unknown>>): Page {
  const rows = ['error', 'error_description']
    .filter((name) => typeof out[name] === 'string')
    .map((name) => `<dt>${name}</dt><dd><code>${escape(String(out[name]))}</code></dd>`);
  return {
    status: 400,
    title: 'The request is not valid',
    main: `<p>The application sent a request that the test provider cannot answer.</p><dl>${rows.join('')}</dl>`,
  };
}

export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const body = Buffer.from(html(page));
  response.writeHead(page.status, { ...HEADERS, 'content-length': body.byteLength });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** For pages that oidc-provider sends: it has set the status already. */
export function writePage(context: Context, page: Page): void {
  for (const [name, value] of Object.entries(HEADERS)) context.set(name, value);
  context.body = html(page);
}

function personButton({ email, name, note }: Person): string {
  const initials = name
    .split(' ')
    .map((word) => word.slice(0, 1))
    .join('')
    .slice(0, 2);
  const said = note === undefined ? '' : `<br><em>${escape(note)}</em>`;
  return `<li><button name="email" value="${escape(email)}"><b aria-hidden="true">${escape(initials)}</b><span><strong>${escape(name)}</strong><br>${escape(email)}${said}</span></button></li>`;
}

function html(page: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(page.title)} – test provider</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header role="note"><strong>For tests only.</strong> Anyone can log in as anyone. Never protect real data with it.</header>
<main>
<p class="kind">Test provider</p>
<h1>${escape(page.title)}</h1>
${page.main}
</main>
</body>
</html>
`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

// No form-action: browsers hold it against the redirects that follow a form, and these lead to the client.
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; frame-ancestors 'none'; base-uri 'none'`,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Same origin, not none: the login form's own posts say where they come from.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
};
