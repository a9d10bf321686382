// What the gate itself does for a proxy's question: all from the question's parsed head to the head of its
// answer, the line in the log included, in this process alone. No socket is read or written.

import { newId } from '../../src/domain/id.ts';
import { NO_TRUST } from '../../src/domain/certificate-trust.ts';
import { NO_SERVICE_TOKENS } from '../../src/domain/service-token.ts';
import { sharesNow } from '../../src/domain/share-book.ts';
import { assembleGate } from '../../src/gateway/assembly.ts';
import { PLAIN_CONNECTION } from '../../src/gateway/connection.ts';
import { type AnswerHead, type Exchange, noEvents } from '../../src/gateway/inbound.ts';
import type { FromWorker } from '../../src/gateway/messages.ts';
import { FORWARD_LIMITS } from '../../src/gateway/progress.ts';
import { steadyNow } from '../../src/gateway/steady-clock.ts';
import { createStoreGood } from '../../src/gateway/store-good.ts';
import { createSeal } from '../../src/login/seal.ts';
import { PROXY_SECRET } from '../../test/support/forward-auth.ts';
import { sealedLogin, testLogin, testSettings, testShare } from '../../test/support/gate.ts';
import type { Size } from '../size.ts';

/** CPU µs of one question: one number for each round. */
export async function measureGateWork({ rounds, decisions }: Size): Promise<readonly number[]> {
  const { ask, isLetIn } = await gateWithVisitor();
  const count = Math.round(decisions / QUESTIONS_SHARE);
  const round = () => {
    const before = process.cpuUsage();
    for (let at = 0; at < count; at++) ask();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / count;
  };
  round();
  const found: number[] = [];
  for (let at = 0; at < rounds; at++) {
    found.push(round());
    // What the gate puts off to the end of a turn: lines of the log, who was seen.
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (!isLetIn()) throw new Error('Cannot measure: the gate let nobody in');
  return found;
}

/** A gate, and somebody whose session it knows already. */
async function gateWithVisitor() {
  const settings = testSettings({
    publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
    endpointUrl: 'https://login.share.localhost',
    trustedProxies: ['127.0.0.1'],
    forwardAuth: { secret: PROXY_SECRET, clientCertificates: false },
  });
  const share = {
    ...testShare('app', '', { login: testLogin(), behind: true, accountId: newId('acc') }),
    target: null,
  };
  const { cookie, state } = sealedLogin(createSeal(settings.keys), { share, secure: true, more: {} });
  const hear = (message: FromWorker) => {
    if (message.type !== 'question') return;
    queueMicrotask(() => assembly.questions.answer(message.id, { kind: 'session', state }));
  };
  const assembly = assembleGate(
    {
      settings,
      certificates: [],
      shares: sharesNow([share]),
      trust: NO_TRUST,
      tokens: NO_SERVICE_TOKENS,
      watched: [],
      storeGood: createStoreGood(steadyNow()).memory,
      reusePort: false,
    },
    hear,
    FORWARD_LIMITS,
  );
  let status = 0;
  const ask = () => {
    const exchange = questionOf(cookie, (head) => (status = head.status));
    assembly.gate(exchange);
    exchange.events.onClose(true);
  };
  await assembly.states.ask(state.id);
  ask();
  return { ask, isLetIn: () => status === 200 };
}

/** As the front nginx of the bench asks, from the configuration in examples/. */
function questionOf(cookie: string, answered: (head: AnswerHead) => void): Exchange {
  return {
    protocol: 'HTTP/1.1',
    method: 'GET',
    target: '/.svc/authorize/nginx',
    authority: null,
    rawHeaders: QUESTION.concat(['Cookie', cookie]),
    remoteAddress: '127.0.0.1',
    upgrade: null,
    endsWithHead: false,
    expectsContinue: false,
    connection: PLAIN_CONNECTION,
    ownSocket: null,
    events: noEvents(),
    headSent: false,
    bodyComplete: true,
    readBody: (sink) => sink.onBodyEnd([]),
    resumeBody: nothing,
    dropBody: nothing,
    inform: nothing,
    head: answered,
    write: () => true,
    flush: nothing,
    end: nothing,
    abort: nothing,
    switchProtocols: () => {
      throw new Error('Cannot switch protocols: this is a question');
    },
  };
}

function nothing(): void {}

const QUESTION: readonly string[] = `X-Original-Method: GET
X-Original-URI: /
X-Forwarded-Proto: https
X-Forwarded-For: 127.0.0.1
svc-auth-secret: ${PROXY_SECRET}
Host: app.share.localhost
User-Agent: bench
Accept: */*
Sec-Fetch-Site: none
Sec-Fetch-Mode: navigate
Sec-Fetch-Dest: document`
  .split('\n')
  .flatMap((line) => line.split(': '));

/** A question costs as much as so many decisions. */
const QUESTIONS_SHARE = 10;
