// `doorward status`: how the service does that the control API belongs to.

import type { Command } from 'commander';
import type { StatusObject } from '../../wire/status.ts';
import type { GatewayObject } from '../../wire/gateway.ts';
import { formatDuration } from '../../domain/duration.ts';
import { alignedRows } from '../columns.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function addStatus(program: Command, terminal: Terminal, exitWith: ExitWith): void {
  addConnectionOptions(
    newCommand(program, 'status', ['doorward status']).description(
      'show the state of the service, and what the account has there',
    ),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const client = await connect(terminal, options);
      const [status, gateways] = await Promise.all([client.status(), client.gateways()]);
      if (options.json) printJson(terminal, { ...status, gateways });
      else terminal.out(statusText(status, gateways, Date.now()));
      if (status.workers.running === 0) exitWith(FAILED);
    });
}

/** `now` in milliseconds since the epoch. */
function statusText(
  { version, startedAt, workers, shares, sessions }: StatusObject,
  gateways: readonly GatewayObject[],
  now: number,
): string {
  return alignedRows([
    ['version', version],
    ['running since', `${minuteText(startedAt)} (${uptimeText(now - Date.parse(startedAt))})`],
    ['gateway', `${workers.running} of ${workers.configured} workers`],
    ...gateways.map(({ tunnelUrl, workers: count }): [string, string] => [
      'agent address',
      `${tunnelUrl} (${count === 1 ? '1 worker' : `${count} workers`})`,
    ]),
    ['store', 'answers'],
    ['shares', `${shares.total} (${shares.enabled} enabled)`],
    ['sessions', `${sessions.active} active`],
  ]);
}

/** To the minute. */
function uptimeText(uptimeMs: number): string {
  return uptimeMs < MINUTE_MS ? 'less than a minute' : formatDuration(uptimeMs - (uptimeMs % MINUTE_MS));
}

const MINUTE_MS = 60_000;
/** No worker runs: nobody reaches a share. */
const FAILED = 1;
