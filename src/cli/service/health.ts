// `doorward health`: whether the service of a configuration is ready, as its own /readyz says. For containers
// and supervisors, which judge by the exit code.

import { request as tlsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { loadConfig } from '../../config/load.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Terminal } from '../terminal.ts';

const { request: plainRequest } = process.getBuiltinModule('node:http');

/** 0 when it is ready, else 1; what /readyz says goes to `out`. Throws when nothing can be asked. */
export async function runHealth(file: string, terminal: Terminal): Promise<number> {
  const { metrics } = await loadConfig(file);
  if (metrics === null)
    throw new ServiceError(
      'config_invalid',
      'Cannot ask whether the service is ready: it has no metrics listener',
      {
        hint: 'Add the section metrics to the configuration.',
      },
    );
  const { host, port } = metrics.bindAddress;
  const { status, body } = await askReadiness(metrics.tls, ANY_ADDRESS.get(host) ?? host, port);
  terminal.out(`${body.trim()}\n`);
  return status === 200 ? 0 : 1;
}

async function askReadiness(
  tls: boolean,
  host: string,
  port: number,
): Promise<{ readonly status: number; readonly body: string }> {
  const options = { host, port, path: '/readyz', agent: false, timeout: TIMEOUT_MS };
  // Its certificate names the public hosts and not this address; nothing is sent that matters.
  const request = tls ? tlsRequest({ ...options, rejectUnauthorized: false }) : plainRequest(options);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(
        new ServiceError(
          'gateway_unreachable',
          `Cannot ask ${host}:${port} whether the service is ready: ${error.message}`,
          {
            cause: error,
          },
        ),
      );
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
    request.on('error', fail);
    request.on('response', (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), fail);
    });
    request.end();
  });
}

/** Who listens everywhere is asked on this machine. */
const ANY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);
/** Those who ask give up after a few seconds. */
const TIMEOUT_MS = 3_000;
