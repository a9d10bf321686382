// `doorward share requests NAME`: the requests at a share as they end, at all gateways, a line each, until
// Ctrl+C.

import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Client } from '../../client/client.ts';
import type { WatchedEvent } from '../../client/watch-requests.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { watchedLine } from './sharing/request-line.ts';
import { jsonLine } from './sharing/visible.ts';
import { awaitStopSignals } from '../stop-signals.ts';
import { plain, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly json?: true };

export function addShareRequests(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'requests', [
    'doorward share requests wiki',
    'doorward share requests wiki --json',
  ])
    .description('show the requests at a share live, one line each, until Ctrl+C')
    .argument('<name>', 'the share’s name or id');
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const client = await connect(terminal, options);
      const stop = awaitStopSignals();
      try {
        await follow({ client, name, signal: stop.asked, tell: tellerOf(terminal, options) }, terminal);
      } finally {
        stop.release();
      }
    });
}

type Tell = (event: WatchedEvent) => void;
type Following = {
  readonly client: Client;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly tell: Tell;
};

/** A service that is away is waited for, once it was there. What happens meanwhile is missed. */
async function follow(following: Following, terminal: Terminal): Promise<void> {
  const { client, name, signal, tell } = following;
  let opened = false;
  while (!signal.aborted)
    try {
      for await (const event of client.shares.watch(name, signal)) {
        if (event.kind === 'open')
          terminal.err(opened ? 'Reconnected.\n' : `Watching ${plain(name)}. Ctrl+C stops.\n`);
        opened ||= event.kind === 'open';
        tell(event);
      }
    } catch (error) {
      if (!opened || !(error instanceof ServiceError && PASSING.has(error.code))) throw error;
      terminal.err(`${plain(error.message)}. Reconnecting.\n`);
      await pause(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
}

function tellerOf({ out, colours = false }: Terminal, { json }: Options): Tell {
  if (json)
    return (event) => {
      if (event.kind === 'request') out(jsonLine({ event: 'request', ...event.request }));
      else if (event.kind === 'skipped') out(jsonLine({ event: 'skipped', skipped: event.skipped }));
    };
  return (event) => {
    if (event.kind === 'request') out(watchedLine(event.request, colours));
    else if (event.kind === 'skipped') out(`… ${event.skipped} more, too many to show\n`);
  };
}

const PASSING: ReadonlySet<string> = new Set([
  'control_unreachable',
  'store_unavailable',
  'rate_limited',
  'draining',
]);
const AGAIN_MS = 2_000;
