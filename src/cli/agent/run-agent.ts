// `doorward agent`: keeps the shares of a file up until SIGTERM or SIGINT. SIGHUP reads the file again; a
// faulty one keeps the old.

import { once } from 'node:events';
import type { ClientCertificate } from '../../client/send.ts';
import type { AgentConfig } from '../../config/agent-config.ts';
import { type CertificateFiles, keyFileOf } from '../login/client-certificate.ts';
import { tellFaults } from '../service/config-faults.ts';
import { certificateFor } from '../login/connection.ts';
import { awaitStopSignals } from '../stop-signals.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { wayOut } from '../way-out.ts';
import { type AgentView, createJsonAgentView, createPersonAgentView } from './agent-view.ts';
import { createKeptShares, type KeptShares } from './keep-shares.ts';
import { readAgent } from './read-agent.ts';

export type AgentWords = {
  readonly file: string;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Says what is wrong with the file, and serves nothing. */
  readonly check: boolean;
  /** Instead of those that the file names. Read again with it. */
  readonly certificate: CertificateFiles | null;
};

/** Answers the exit code: 2 for a file with faults, 0 once it was stopped. */
export async function runAgent(terminal: Terminal, words: AgentWords): Promise<number> {
  const { file, json, quiet, check, certificate } = words;
  const read = readAgent(file, certificate !== null);
  const faults = 'faults' in read ? read.faults : [];
  if (check && json) printJson(terminal, { faults });
  else if (check || faults.length > 0) tellFaults(terminal, file, faults);
  if ('faults' in read) return WRONG_CONFIGURATION;
  const clientCertificate = await shownAt(read.config, certificate);
  if (check) return 0;
  const options = { quiet, now: Date.now };
  const view = json ? createJsonAgentView(terminal, options) : createPersonAgentView(terminal, options);
  const kept = createKeptShares({ viewOf: view.viewOf, graceMs: GRACE_MS, wayTo: wayOut(terminal) });
  const stop = awaitStopSignals(['SIGINT', 'SIGTERM']);
  const reload = (): void => void useAgain(words, kept, view);
  process.on('SIGHUP', reload);
  try {
    view.started(read.config.shares.length);
    kept.use(read.config, clientCertificate);
    if (!stop.asked.aborted) await once(stop.asked, 'abort');
    view.stopping();
    stop.askedAgain.addEventListener('abort', () => void kept.stop(0), { once: true });
    await kept.stop(GRACE_MS);
  } finally {
    process.off('SIGHUP', reload);
    stop.release();
  }
  return 0;
}

/** A renewed certificate is read here. Never rejects. */
async function useAgain({ file, certificate }: AgentWords, kept: KeptShares, view: AgentView): Promise<void> {
  const read = readAgent(file, certificate !== null);
  if ('faults' in read) return view.reloadFailed(file, read.faults);
  try {
    kept.use(read.config, await shownAt(read.config, certificate));
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    const path = certificate === null ? 'client_certificate_file' : '--cert';
    return view.reloadFailed(file, [{ path, line: 1, column: 1, found, wanted: 'a certificate' }]);
  }
  view.reloaded(read.config.shares.length);
}

/** Throws `usage` for files that hold none, and for a control API over plain http. */
async function shownAt(
  { url, certificateFiles: named }: AgentConfig,
  given: CertificateFiles | null,
): Promise<ClientCertificate | null> {
  if (given !== null) return certificateFor(given, url);
  if (named === null) return null;
  const { certificate, key } = named;
  return certificateFor({ certificate, key: key ?? keyFileOf(certificate) }, url);
}

/** DESIGN 2.4: wrong usage or bad configuration. */
const WRONG_CONFIGURATION = 2;
/** As for `doorward serve`: what a request needs to end well. */
const GRACE_MS = 10_000;
