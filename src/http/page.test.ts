import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import * as fc from 'fast-check';
import { sendAnswer } from './answer.ts';
import type { PageContent } from './page-html.ts';
import { renderPage } from './page.ts';

const CONTENT: PageContent = {
  status: 403,
  tone: 'refused',
  title: 'This email address does not have access',
  paragraphs: ['One.', 'Two.'],
  details: [{ label: 'Logged in as', value: 'ada@example.com' }],
  actions: [
    { label: 'Use another account', href: 'https://login.example.com/dev/login?a=1&b=2', primary: true },
  ],
  requestId: 'req_1',
};
const BRAND = { name: 'Doorward', logo: null, contact: null };

test('renderPage() shows hostile text as text, wherever it stands (THREATS "Pages")', () => {
  const honest = tagsOf(bodyOf(page('word')));
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme' })), (text) => {
      assert.deepEqual(tagsOf(bodyOf(page(text))), honest);
    }),
  );
});

test('renderPage() leaves out links of any scheme but http, https and mailto (THREATS "Pages")', () => {
  for (const href of [
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'vbscript:x',
    'relative',
  ])
    assert.doesNotMatch(bodyOf(withAction(href)), /<nav/, JSON.stringify(href));
  for (const href of ['/', '/a?b=c', 'https://a.example/', 'http://a.localhost:8080/', 'mailto:a@b.example'])
    assert.match(bodyOf(withAction(href)), /<nav/, href);
});

test('renderPage() sets a policy under which nothing runs, and whose hash is of the style it has (issue pages)', () => {
  const answer = renderPage(CONTENT, BRAND);
  const headers = new Headers(answer.headers.map(([name, value]): [string, string] => [name, value]));
  const policy = headers.get('content-security-policy') ?? '';
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  for (const directive of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ])
    assert.ok(policy.split('; ').includes(directive), directive);
  const style = /<style>([^<]*)<\/style>/.exec(bodyOf(answer))?.[1] ?? '';
  assert.ok(policy.includes(`'sha256-${createHash('sha256').update(style).digest('base64')}'`));
  assert.doesNotMatch(bodyOf(answer), /<script|\sstyle=|\son\w+=/i);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('x-frame-options'), 'DENY');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-request-id'), 'req_1');
});

test('renderPage() has a language, a title, one heading and one main landmark (issue pages)', () => {
  const body = bodyOf(renderPage(CONTENT, BRAND));
  assert.match(body, /<html lang="en">/);
  assert.match(body, /<title>This email address does not have access – Doorward<\/title>/);
  assert.equal(body.match(/<h1>/g)?.length, 1);
  assert.equal(body.match(/<main>/g)?.length, 1);
  assert.match(body, /<code>req_1<\/code>/);
});

test('renderPage() shows the name, the logo and the contact of the configuration (issue pages)', () => {
  const logo = 'data:image/png;base64,AAAA';
  const body = bodyOf(renderPage(CONTENT, { name: 'Acme & Co', logo, contact: 'help@acme.example' }));
  assert.match(body, /<span>Acme &amp; Co<\/span>/);
  assert.ok(body.includes(`<img src="${logo}" alt=""`));
  assert.ok(body.includes('<a href="mailto:help@acme.example">help@acme.example</a>'));
  const web = bodyOf(renderPage(CONTENT, { ...BRAND, contact: 'https://help.acme.example/' }));
  assert.ok(web.includes('<a href="https://help.acme.example/">'));
  const plain = bodyOf(
    renderPage(CONTENT, { ...BRAND, logo: 'https://tracker.example/x.png', contact: 'Room 4' }),
  );
  assert.doesNotMatch(plain, /tracker/);
  assert.match(plain, /Need help\? Room 4/);
});

test('sendAnswer() gives HEAD the headers of a page and no body (RFC 9110 section 9.3.2)', async () => {
  const server = createServer((request, response) =>
    sendAnswer(request, response, renderPage(CONTENT, BRAND)),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const url = `http://127.0.0.1:${address.port}/`;
    const full = await fetch(url);
    const head = await fetch(url, { method: 'HEAD' });
    const length = Buffer.byteLength(await full.text());
    assert.equal(head.status, 403);
    assert.equal(head.headers.get('content-length'), String(length));
    assert.equal(await head.text(), '');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('renderPage() names the contact among the details of what it can be asked about, once', () => {
  const about = 'You do not have access: wiki.example.com/a&b (request req_1)';
  const body = bodyOf(renderPage({ ...CONTENT, askAbout: about }, { ...BRAND, contact: 'help@acme.com' }));
  const subject = encodeURIComponent(about);
  assert.ok(body.includes(`<dt>Contact</dt><dd><a href="mailto:help@acme.com?subject=${subject}">`));
  assert.doesNotMatch(body, /Need help/);
  const site = bodyOf(
    renderPage({ ...CONTENT, askAbout: about }, { ...BRAND, contact: 'https://help.acme.com/' }),
  );
  assert.match(site, /<dd><a href="https:\/\/help\.acme\.com\/">/);
  assert.doesNotMatch(bodyOf(renderPage({ ...CONTENT, askAbout: about }, BRAND)), /Contact|mailto/);
});

test('renderPage() loads itself again after a time, without an address, only when it is said', () => {
  const refresh = (seconds: number | null) =>
    renderPage({ ...CONTENT, againSeconds: seconds }, BRAND).headers.filter(([name]) => name === 'refresh');
  assert.deepEqual(refresh(5), [['refresh', '5']]);
  assert.deepEqual(refresh(null), []);
  assert.doesNotMatch(bodyOf(renderPage({ ...CONTENT, againSeconds: 5 }, BRAND)), /http-equiv/);
});

function page(text: string) {
  const content: PageContent = {
    ...CONTENT,
    title: text,
    paragraphs: [text],
    details: [{ label: text, value: text }],
    actions: [{ label: text, href: '/', primary: false }],
    requestId: text,
  };
  return renderPage(content, { name: text, logo: null, contact: `Room ${text}` });
}

function withAction(href: string) {
  return renderPage({ ...CONTENT, actions: [{ label: 'Go', href, primary: true }] }, BRAND);
}

function bodyOf(answer: { readonly body: string | Uint8Array | null }): string {
  assert.equal(typeof answer.body, 'string');
  return String(answer.body);
}

/** Every tag with its attributes, so that markup made of text shows as a difference. */
function tagsOf(body: string): readonly string[] {
  return body.match(/<[^>]*>/g) ?? [];
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</style><svg onload=alert(1)>',
  '</title><base href=//evil.example>',
  '&lt;b&gt;',
  '\u0000<b>\u202Egnp.exe',
  '<!--',
  ']]>',
];
