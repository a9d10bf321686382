// `doorward share public` while it runs: makes the share, shows what happens, and stops by signal or when the
// share is gone.

import { once } from 'node:events';
import type { ShareObject } from '../../../wire/share.ts';
import { ServiceError, type FaultCode } from '../../../domain/service-error.ts';
import { parseLocalTarget } from '../../../tunnel/local-target.ts';
import { openConnection, type ConnectionOptions } from '../../login/connection.ts';
import { newShareSettings, type ShareOptions } from '../options.ts';
import { awaitStopSignals, type StopSignals } from '../../stop-signals.ts';
import type { Terminal } from '../../terminal.ts';
import { createJsonView } from './json-view.ts';
import { createPersonView } from './person-view.ts';
import { serveShare, type UpShare } from './serve-share.ts';
import { requestsTo } from './shown-request.ts';
import type { View } from './view.ts';
import { withFiles } from '../said-files.ts';

export type PublicOptions = ConnectionOptions &
  ShareOptions & {
    readonly name?: string;
    readonly insecure?: boolean;
    readonly qr?: boolean;
    readonly quiet?: boolean;
    readonly json?: boolean;
  };

/** Resolves after a stop by signal. Throws what stands in the way of the share, or what ended it. */
export async function shareUntilStopped(
  terminal: Terminal,
  targetText: string,
  options: PublicOptions,
): Promise<void> {
  const settings = await withFiles(newShareSettings(options));
  const target = parseLocalTarget(targetText, options.insecure);
  const view = viewOf(terminal, options);
  const looking = target.listens();
  const connection = await openConnection(terminal, { ...options, callLimitMs: CALL_LIMIT_MS });
  const listening = await looking;
  const stop = awaitStopSignals();
  try {
    const up = await serveShare({
      ...connection,
      input: { name: options.name ?? null, settings },
      target,
      onReady: (share) => view.ready(share, { text: target.text, listening }),
      onRequest: requestsTo(view),
      onLink: view.link,
      signal: stop.asked,
    });
    await untilStopped(up, view, stop);
  } catch (error) {
    if (error !== stop.asked.reason) throw error;
    terminal.err('stopped before the share was up\n');
  } finally {
    stop.release();
  }
}

function viewOf(terminal: Terminal, { qr = false, quiet = false, json = false }: PublicOptions): View {
  if (qr && json) throw new ServiceError('usage', 'Cannot use --qr with --json: leave out one of them');
  const now = Date.now;
  return json ? createJsonView(terminal, { quiet, now }) : createPersonView(terminal, { quiet, qr, now });
}

/** Throws the gateways' refusal, made readable, once nothing of the share is left here. */
async function untilStopped(up: UpShare, view: View, stop: StopSignals): Promise<void> {
  const asked = stop.asked.aborted ? Promise.resolve() : once(stop.asked, 'abort');
  const refusal = await Promise.race([up.refused, asked.then(() => null)]);
  const slow = setTimeout(view.stopping, SLOW_STOP_MS);
  stop.askedAgain.addEventListener('abort', () => void up.stop(0), { once: true });
  const farewell = await up.stop(GRACE_MS);
  clearTimeout(slow);
  if (refusal === null) return view.stopped(up.share, farewell);
  const fault = overFor(up.share, refusal);
  view.refused(up.share, fault);
  throw fault;
}

function overFor({ url, name, tunnel }: ShareObject, refusal: ServiceError): ServiceError {
  const again = tunnel === 'ephemeral' ? 'for a new address' : `with --name ${name} to create it again`;
  return new ServiceError(
    refusal.code,
    `Cannot continue sharing ${url}: ${REASONS[refusal.code] ?? refusal.message}`,
    {
      cause: refusal,
      hint: refusal.code === 'share_unknown' ? `Run the command again ${again}.` : (refusal.hint ?? NEW_KEY),
    },
  );
}

const REASONS: Partial<Record<FaultCode, string>> = {
  share_unknown: 'the share was deleted, or removed because this machine was offline for too long',
  api_key_invalid: 'the API key is no longer valid',
};
const NEW_KEY = 'Log in with another key: doorward login --url URL';
/** At the end somebody waits for their prompt. */
const CALL_LIMIT_MS = 10_000;
/** What a request needs to end well; who is impatient presses Ctrl+C again. */
const GRACE_MS = 5_000;
/** A stop that takes longer is explained. */
const SLOW_STOP_MS = 500;
