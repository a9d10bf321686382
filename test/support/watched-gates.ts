// A gate over HTTP/1.1 and one over TLS before a backend that answers every whole head with `ok`, and what it
// was sent.

import { after, before } from 'node:test';
import { makeCertificate } from './certificate.ts';
import { startTestGate, testLogin, testShare, type TestGate } from './gate.ts';
import { rawBackend, type RawBackend } from './raw-backend.ts';

/** A share with a login, and one without. */
export const HOST = 'demo.share.localhost';
export const OPEN = 'open.share.localhost';

export type WatchedGates = {
  readonly plain: () => TestGate;
  readonly secure: () => TestGate;
  /** Forgets what the backend was sent. */
  readonly mark: () => void;
  /** What it was sent since, latin1. */
  readonly received: () => string;
  /** The request lines in it. */
  readonly requests: () => readonly string[];
};

/** For a whole test file: started before its tests, closed after them. */
export function watchedGates(): WatchedGates {
  let plain: TestGate | null = null;
  let secure: TestGate | null = null;
  let backend: RawBackend | null = null;
  let marks: readonly number[] = [];
  before(async () => {
    backend = await rawBackend((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const target = `http://127.0.0.1:${backend.port}`;
    const shares = [testShare('demo', target, { login: testLogin() }), testShare('open', target)];
    plain = await startTestGate({ shares });
    secure = await startTestGate({
      shares,
      settings: { tls: true, publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 } },
      certificates: [makeCertificate(['*.share.localhost'])],
    });
  });
  after(async () => {
    await Promise.all([plain?.close(), secure?.close()]);
    await backend?.close();
  });
  const received = () =>
    (backend?.received ?? []).map((bytes, index) => bytes.slice(marks[index] ?? 0)).join('\n');
  return {
    plain: () => started(plain),
    secure: () => started(secure),
    mark: () => {
      marks = (backend?.received ?? []).map((bytes) => bytes.length);
    },
    received,
    requests: () => [...received().matchAll(/[A-Z]+ \S+ HTTP\/1\.1(?=\r\n)/g)].map(([line]) => line),
  };
}

function started(gate: TestGate | null): TestGate {
  if (gate === null) throw new Error('Cannot use the gate: it is started before the tests');
  return gate;
}
