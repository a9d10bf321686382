// `doorward overview`: the account in figures, of the last hours.

import { type Command, InvalidArgumentError } from 'commander';
import type { DownShareObject, LoginCountObject, OverviewObject } from '../../wire/overview.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

type OverviewOptions = ConnectionOptions & { readonly hours?: string; readonly json?: true };

export function addOverview(program: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(program, 'overview', ['doorward overview --hours 168']).description(
      'show figures of the account: shares up and down, requests, logins, sessions, certificates',
    ),
  )
    .addOption(
      onceOption(
        '--hours <count>',
        'count requests and logins of this many hours, at most 168 (default: 24)',
      ),
    )
    .addOption(jsonOption())
    .action(async (options: OverviewOptions) => {
      const hours = hoursOf(options.hours);
      const overview = await (await connect(terminal, options)).overview(hours);
      if (options.json) printJson(terminal, overview);
      else terminal.out(overviewText(overview, hours));
    });
}

function hoursOf(text = '24'): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('--hours must be a whole number, such as 24.');
  return Number(text);
}

function overviewText({ shares, requests, logins, sessions, certificates }: OverviewObject, hours: number) {
  const { steps } = requests;
  const sum = (of: 'requests' | 'refused' | 'faulted') => steps.reduce((all, step) => all + step[of], 0);
  const { active, expiringSoon, soonDays } = certificates;
  return alignedRows([
    ['shares', `${shares.up} up, ${shares.failing + shares.waiting} down, ${shares.off} off`],
    ...shares.down.map((share): [string, string] => ['', `${share.name}: ${downText(share)}`]),
    [
      'requests',
      `${sum('requests')} in ${hours === 1 ? 'an hour' : `${hours} hours`}, ${sum('refused')} refused, ${sum('faulted')} unanswered`,
    ],
    ...(logins.length === 0 ? [['logins', 'none']] : logins.map(loginRow)),
    ['sessions', `${sessions.active} active`],
    ['certificates', `${active}, ${expiringSoon} of them expire within ${soonDays} days`],
  ]);
}

function downText({ why, at }: DownShareObject): string {
  if (why === 'failing') return `target not answering, last tried at ${at === null ? '?' : minuteText(at)}`;
  return at === null ? 'no agent: none has served it yet' : `no agent since ${minuteText(at)}`;
}

function loginRow(
  { provider, succeeded, refused, failed }: LoginCountObject,
  index: number,
): readonly string[] {
  return [index === 0 ? 'logins' : '', `${provider}: ${succeeded}, ${refused} refused, ${failed} failed`];
}
