// What client certificates cost, as text.

import { grouped, measureRow, table } from './compare.ts';
import type { CertificateMeasures } from './rows/certificates.ts';
import type { Size } from './size.ts';
import type { Measure } from './subject.ts';

export function certificateTables({ issuing, list, handshakes }: CertificateMeasures, size: Size): string {
  const { doorward, stepCa } = issuing;
  const beside = stepCa?.measures ?? doorward;
  const rows = [
    ...(stepCa === null ? [] : [measureRow('step-ca, a certificate for a token', stepCa.measures, beside)]),
    measureRow('**Doorward, a certificate for a token**', doorward, beside),
    ...shakeRows('no client certificate', handshakes.nginx, handshakes.doorward),
    ...shakeRows('with a client certificate', handshakes.nginxMutual, handshakes.doorwardMutual),
  ];
  const head = ['16 at once', 'CPU µs each', '×', 'each second', '×', 'p50 ms', '×', 'p99 ms', '×'];
  return `${table(head, rows)}

${table(
  ['A revocation list', 'Doorward'],
  [
    [`Reading, encoding and signing ${grouped(size.revoked)} entries, ms`, list.buildMs.toFixed(0)],
    ['The longest that anything else waits meanwhile, ms', list.stallMs.toFixed(1)],
  ],
)}`;
}

export function certificateNotes({ issuing }: CertificateMeasures, size: Size): readonly string[] {
  const peer =
    issuing.stepCa === null
      ? 'step-ca is measured beside it where it is on PATH.'
      : `step-ca (${issuing.stepCa.version}) answers over TLS, with its badger database; Doorward's control plane is asked over plain HTTP, and keeps the certificate and an audit event in SQLite. Connections to both are kept.`;
  return [
    `A certificate for a token: ${grouped(size.certificates)} tokens made before, each redeemed with a request for a P-256 key; signed with P-384, kept, answered. ${peer}`,
    `Handshakes: ${grouped(size.handshakes)} new connections, TLS 1.3 with X25519 (where a client offers it, Doorward takes the hybrid with ML-KEM-768, which costs more), nothing resumed, with one request through to the backend; client and server have keys on P-256, the authority one on P-384.`,
    'The revocation list is built from its first entry on, in a process that does nothing else, whose event loop is watched.',
  ];
}

function shakeRows(what: string, nginx: readonly Measure[], doorward: readonly Measure[]): string[][] {
  return [
    measureRow(`nginx, a TLS connection ${what}`, nginx, nginx),
    measureRow(`Doorward, a TLS connection ${what}`, doorward, nginx),
  ];
}
