import { test } from 'node:test';
import assert from 'node:assert/strict';
import { type FaultCode, FAULTS, ServiceError } from '../domain/service-error.ts';
import type { Answer } from './answer.ts';
import { faultAnswer, type FaultContext, placeText } from './fault-answer.ts';
import { FAULT_TEXTS } from './fault-text.ts';
import type { PageAction } from './page-html.ts';

const CODES = Object.keys(FAULTS) as FaultCode[];
const PAGE: FaultContext = {
  page: true,
  brand: { name: 'Doorward', logo: null, contact: null },
  requestId: 'req_7',
};
const PROBLEM: FaultContext = { ...PAGE, page: false };

test('FAULT_TEXTS says for each code what happened and what to do next (issue pages)', () => {
  assert.deepEqual(Object.keys(FAULT_TEXTS).toSorted(), CODES.toSorted());
  for (const code of CODES) {
    assert.match(FAULT_TEXTS[code].what, /^[A-Z].{15,}\.$/, code);
    assert.match(FAULT_TEXTS[code].next, /^[A-Z].{10,}\.$/, code);
  }
});

test('faultAnswer() gives each code its status, its title and the request id, as page and as problem (2.3)', () => {
  for (const code of CODES) {
    const page = faultAnswer(new ServiceError(code, 'Cannot do it: no'), PAGE);
    assert.equal(page.status, FAULTS[code].status);
    assert.ok(String(page.body).includes(FAULTS[code].title), code);
    assert.ok(String(page.body).includes('<code>req_7</code>'), code);
    const problem = faultAnswer(new ServiceError(code, 'Cannot do it: no'), PROBLEM);
    assert.equal(problem.status, FAULTS[code].status);
    const { title, status, code: told, request_id: id } = parse(problem);
    assert.deepEqual([title, status, told, id], [FAULTS[code].title, FAULTS[code].status, code, 'req_7']);
  }
});

test('faultAnswer() shows neither cause nor message of a service fault', () => {
  const cause = new Error('connect ECONNREFUSED 10.0.0.7:5432 password=hunter2');
  for (const code of CODES.filter((each) => FAULTS[each].status >= 500))
    for (const context of [PAGE, PROBLEM]) {
      const error = new ServiceError(code, 'Cannot reach 10.0.0.7', { cause, hint: 'Look at 10.0.0.7' });
      assert.doesNotMatch(JSON.stringify(faultAnswer(error, context)), /10\.0\.0\.7|hunter2/, code);
    }
});

test('faultAnswer() shows a message on no page, and a cause nowhere (THREATS "Pages")', () => {
  const error = new ServiceError('access_denied', 'Cannot log in: <script>x</script>', {
    cause: new Error('secret'),
  });
  assert.doesNotMatch(String(faultAnswer(error, PAGE).body), /<script|secret|Cannot log in/);
  assert.doesNotMatch(String(faultAnswer(error, PROBLEM).body), /secret/);
});

test('faultAnswer() tells programs the detail, the hint and the extra members, which replace nothing (RFC 9457)', () => {
  const extra = { login_url: 'https://login.example.com/dev/login', status: 200, code: 'fine' };
  const answer = faultAnswer(
    new ServiceError('login_required', 'Cannot go on: no session', { hint: 'Log in', extra }),
    PROBLEM,
  );
  const document = parse(answer);
  assert.equal(document['detail'], 'Cannot go on: no session');
  assert.equal(document['hint'], 'Log in');
  assert.equal(document['login_url'], extra.login_url);
  assert.equal(document['status'], 401);
  assert.equal(document['code'], 'login_required');
  assert.equal(header(answer, 'content-type'), 'application/problem+json');
  assert.equal(header(answer, 'x-request-id'), 'req_7');
  assert.equal(header(answer, 'cache-control'), 'no-store');
});

test('faultAnswer() says when to come back, which methods are allowed and which credentials (RFC 9110)', () => {
  for (const context of [PAGE, PROBLEM]) {
    const limited = new ServiceError('rate_limited', 'x', { extra: { retryAfterSeconds: 2.2 } });
    assert.equal(header(faultAnswer(limited, context), 'retry-after'), '3');
    assert.equal(
      header(faultAnswer(new ServiceError('recheck_unavailable', 'x'), context), 'retry-after'),
      '5',
    );
    assert.equal(header(faultAnswer(new ServiceError('not_found', 'x'), context), 'retry-after'), undefined);
    const method = new ServiceError('method_not_allowed', 'x', { extra: { allow: 'GET, HEAD' } });
    assert.equal(header(faultAnswer(method, context), 'allow'), 'GET, HEAD');
    const odd = new ServiceError('method_not_allowed', 'x', { extra: { allow: 'GET\r\nset-cookie: a=b' } });
    assert.equal(header(faultAnswer(odd, context), 'allow'), undefined);
    assert.match(
      header(faultAnswer(new ServiceError('api_key_missing', 'x'), context), 'www-authenticate') ?? '',
      /^Bearer/,
    );
  }
});

function parse(answer: Answer): Readonly<Record<string, unknown>> {
  return JSON.parse(String(answer.body)) as Record<string, unknown>;
}

function header(answer: Answer, name: string): string | undefined {
  return answer.headers.find(([each]) => each === name)?.[1];
}

test('faultAnswer() links to the page itself when trying again may help and nothing better is known', () => {
  for (const code of ['backend_down', 'store_unavailable', 'recheck_unavailable'] as const)
    assert.match(pageOf(code), /<a class="primary" href="">Try again<\/a>/, code);
  for (const code of ['share_unknown', 'internal', 'state_replayed'] as const)
    assert.doesNotMatch(pageOf(code), /Try again<\/a>/, code);
  const better = [{ label: 'Open the page again', href: '/page', primary: true }];
  assert.doesNotMatch(pageOf('store_unavailable', better), /Try again<\/a>/);
});

test('faultAnswer() says where the visitor wanted to go, and when the page tries again by itself', () => {
  const context = { ...PAGE, place: 'wiki.example.com/a', app: 'wiki', againSeconds: 7 };
  const page = faultAnswer(new ServiceError('backend_down', 'x'), context);
  assert.match(String(page.body), /<dt>Application<\/dt><dd><bdi>wiki<\/bdi>/);
  assert.match(String(page.body), /<dt>Address<\/dt><dd><bdi>wiki\.example\.com\/a<\/bdi>/);
  assert.match(String(page.body), /This page tries again by itself in 7 seconds\. If this continues/);
  assert.equal(header(page, 'refresh'), '7');
  const later = faultAnswer(new ServiceError('backend_down', 'x'), { ...context, againSeconds: null });
  assert.match(String(later.body), /Try again in a moment\. If this continues/);
  assert.equal(header(later, 'refresh'), undefined);
});

test('placeText() has the host and the path, never the query, none of our own paths, and nothing odd', () => {
  assert.equal(placeText('wiki.example.com:8443', '/a/b?token=x'), 'wiki.example.com:8443/a/b');
  assert.equal(placeText('wiki.example.com', '/?token=x'), 'wiki.example.com');
  assert.equal(placeText('wiki.example.com', '/.svc/begin?grant=x'), 'wiki.example.com');
  for (const path of [`/${'a'.repeat(33)}`, '/%3Cb%3E', '/call+us', "/'x'", '/a/b/c/d/e', '//a', '*'])
    assert.equal(placeText('wiki.example.com', path), 'wiki.example.com', path);
});

function pageOf(code: FaultCode, actions: readonly PageAction[] = []): string {
  return String(faultAnswer(new ServiceError(code, 'Cannot say'), { ...PAGE, actions }).body);
}
