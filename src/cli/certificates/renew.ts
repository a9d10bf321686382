// `doorward cert renew FILE…`: puts a new certificate in the place of one that is still good, which is all
// that it takes. With `--daemon` it stays and does so at two thirds of each one's life.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Command } from 'commander';
import { ServiceError } from '../../domain/service-error.ts';
import { keyFileOf } from '../login/client-certificate.ts';
import { newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { chainFileOf, type HeldFiles } from './renewal/certificate-files.ts';
import { keepRenewed, sleepUnlessAsked } from './renewal/keep-renewed.ts';
import { renewFiles, type RenewedFiles } from './renewal/renew-files.ts';
import { awaitStopSignals } from '../stop-signals.ts';
import { plain, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { wayOut } from '../way-out.ts';

type Options = {
  readonly url?: string;
  readonly key?: string;
  readonly newKey?: true;
  readonly daemon?: true;
  readonly exec?: string;
  readonly json?: true;
};

export function addCertRenew(cert: Command, terminal: Terminal): void {
  newCommand(cert, 'renew', [
    'doorward cert renew ann.cert.pem',
    "doorward cert renew api.cert.pem --daemon --exec 'systemctl reload nginx'",
  ])
    .description('renew valid certificates; the certificate is the credential')
    .argument('<certificate...>', 'the certificate files, PEM')
    .addOption(
      onceOption('--url <url>', 'the control API, if not the one that the certificate names').env(
        'DOORWARD_URL',
      ),
    )
    .addOption(
      onceOption('--key <file>', 'the key of the certificate (default: x.key.pem beside x.cert.pem)'),
    )
    .option('--new-key', 'also create a new key')
    .option('--daemon', 'keep running, and renew each certificate at two thirds of its lifetime')
    .addOption(
      onceOption(
        '--exec <command>',
        'shell command to run after each renewal, such as a reload of a service',
      ),
    )
    .addOption(jsonOption())
    .action(async (named: readonly string[], options: Options) => {
      if (options.key !== undefined && named.length > 1)
        throw new ServiceError('usage', 'Cannot use --key: it needs exactly one certificate file');
      const all: HeldFiles[] = [];
      for (const certificate of named)
        all.push({
          certificate,
          key: options.key ?? keyFileOf(certificate),
          chain: await chainFileOf(certificate),
        });
      if (options.daemon) return stay(terminal, all, options);
      for (const files of all)
        await afterRenewal(terminal, await renewOne(terminal, files, options), options);
    });
}

function renewOne(terminal: Terminal, files: HeldFiles, { url, newKey }: Options): Promise<RenewedFiles> {
  return renewFiles(files, { url, newKey: newKey === true, wayTo: wayOut(terminal) });
}

async function afterRenewal(
  terminal: Terminal,
  renewed: RenewedFiles,
  { exec, json }: Options,
): Promise<void> {
  const { files, serial, notAfter } = renewed;
  // A line each, since there may be many.
  if (json)
    terminal.out(`${JSON.stringify({ certificate: files.certificate, key: files.key, serial, notAfter })}\n`);
  else terminal.err(`Renewed ${plain(files.certificate)}: valid until ${minuteText(notAfter)}\n`);
  if (exec !== undefined) await runHook(terminal, exec, files);
}

/** One that fails does not undo the renewal. */
async function runHook(terminal: Terminal, command: string, { certificate, key }: HeldFiles): Promise<void> {
  const child = spawn('/bin/sh', ['-c', command], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...terminal.env, DOORWARD_RENEWED_CERTIFICATE: certificate, DOORWARD_RENEWED_KEY: key },
    timeout: HOOK_LIMIT_MS,
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return;
  throw new ServiceError(
    'internal',
    `Cannot finish the command after the renewal: ${signal ?? `it ended with ${code}`}`,
    {
      hint: 'The certificate is renewed. Run the command manually.',
    },
  );
}

/**
 * Each goes on while others fail. Throws the first failure that no further try can mend, once all have ended.
 */
async function stay(terminal: Terminal, all: readonly HeldFiles[], options: Options): Promise<void> {
  const stop = awaitStopSignals();
  const keep = (files: HeldFiles) =>
    keepRenewed({
      files,
      renew: (each) => renewOne(terminal, each, options),
      // Renewed it is, whatever becomes of the command.
      onRenewed: (renewed) =>
        afterRenewal(terminal, renewed, options).catch((error: unknown) => tell(terminal, files, error)),
      onWaiting: ({ certificate }, until) =>
        terminal.err(`Next renewal of ${plain(certificate)}: ${minuteText(new Date(until).toISOString())}\n`),
      onFailure: (each, error, waitMs) => {
        tell(terminal, each, error);
        terminal.err(`Retrying in ${Math.ceil(waitMs / 1000)} s\n`);
      },
      now: Date.now,
      sleep: sleepUnlessAsked,
      signal: stop.asked,
    });
  const ends = await Promise.allSettled(
    all.map((files) =>
      keep(files).catch((error: unknown) => {
        if (all.length > 1) tell(terminal, files, error);
        throw error;
      }),
    ),
  );
  stop.release();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

function tell(terminal: Terminal, { certificate }: HeldFiles, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  terminal.err(`error: ${plain(certificate)}: ${plain(message)}\n`);
}

/** A reload takes seconds. */
const HOOK_LIMIT_MS = 60_000;
