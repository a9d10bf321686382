// `doorward share public TARGET`: a public address for something that runs here, through a tunnel, in the foreground until Ctrl+C.

import { once } from 'node:events';
import type { Command } from 'commander';
import type { ShareObject } from '../client/share-object.ts';
import { ServiceError, type FaultCode } from '../domain/service-error.ts';
import { parseLocalTarget } from '../tunnel/local-target.ts';
import { addConnectionOptions, openConnection, type ConnectionOptions } from './connection.ts';
import { onceOption } from './option-parsers.ts';
import { addShareOptions, newShareSettings, type ShareOptions } from './share-options.ts';
import { createJsonView } from './sharing/json-view.ts';
import { createPersonView } from './sharing/person-view.ts';
import { serveShare, type UpShare } from './sharing/serve-share.ts';
import { shownRequest } from './sharing/shown-request.ts';
import type { View } from './sharing/view.ts';
import { awaitStopSignals, type StopSignals } from './stop-signals.ts';
import type { Terminal } from './terminal.ts';

type Options = ConnectionOptions &
  Omit<ShareOptions, 'target'> & {
    readonly name?: string;
    readonly insecure?: boolean;
    readonly qr?: boolean;
    readonly quiet?: boolean;
    readonly json?: boolean;
  };

export function addSharePublic(share: Command, terminal: Terminal): void {
  const command = share
    .command('public')
    .description('give something that runs here a public address until Ctrl+C; prints the address first')
    .argument('<target>', 'a port (3000), http://localhost:3000, https://10.0.0.5:8443 or unix:/run/app.sock')
    .addOption(
      onceOption(
        '--name <name>',
        'keep the share under this name, and take it up again: options given anew are set, others stay',
      ),
    );
  addConnectionOptions(addShareOptions(command))
    .option('--insecure', 'take any certificate of an https:// target')
    .option('--qr', 'show the address as a QR code, too')
    .option('--quiet', 'print the address, but no settings and no requests')
    .option('--json', 'print each event as a line of JSON, the first of them "ready" with the address')
    .action((target: string, options: Options) => sharePublic(terminal, target, options));
}

/** Resolves after a stop by signal. Throws what stands in the way of the share, or what ended it. */
async function sharePublic(terminal: Terminal, targetText: string, options: Options): Promise<void> {
  const settings = newShareSettings(options);
  const target = parseLocalTarget(targetText, options.insecure);
  const view = viewOf(terminal, options);
  const looking = target.listens();
  const connection = await openConnection(terminal, options);
  const listening = await looking;
  const stop = awaitStopSignals();
  try {
    const up = await serveShare({
      ...connection,
      wish: { name: options.name ?? null, settings },
      target,
      onReady: (share) => view.ready(share, { text: target.text, listening }),
      onRequest: (request, share) => view.request(shownRequest(request, share, Date.now())),
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

function viewOf(terminal: Terminal, { qr = false, quiet = false, json = false }: Options): View {
  if (qr && json)
    throw new ServiceError('usage', 'Cannot show a QR code among lines of JSON: leave out --qr or --json');
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
  const again = tunnel === 'ephemeral' ? 'for a new address' : `with --name ${name} to make it again`;
  return new ServiceError(
    refusal.code,
    `Cannot go on sharing ${url}: ${REASONS[refusal.code] ?? refusal.message}`,
    {
      cause: refusal,
      hint: refusal.code === 'share_unknown' ? `Run the command again ${again}.` : (refusal.hint ?? NEW_KEY),
    },
  );
}

const REASONS: Partial<Record<FaultCode, string>> = {
  share_unknown: 'the share is gone; it was deleted, or swept after this machine was away for too long',
  api_key_invalid: 'the API key is not valid any more',
};
const NEW_KEY = 'Log in with another key: doorward login --url URL';
/** What a request needs to end well; who is impatient presses Ctrl+C again. */
const GRACE_MS = 5_000;
/** A stop that takes longer is explained. */
const SLOW_STOP_MS = 500;
