// `doorward audit`: what happened in the account, oldest first, a line an event; with `--follow`, what
// happens from then on too. Whatever is told is told once, and in the order in which it was written down.

import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AuditEventObject, AuditSearch } from '../../wire/audit-event.ts';
import type { AuditCalls } from '../../client/record-calls.ts';
import { AUDIT_RESULTS } from '../../domain/audit-kind.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { wrappedLine } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { changeTexts } from './change-text.ts';
import { tellOperators } from '../accounts/operator-audit.ts';
import type { ConfigOptions } from '../accounts/operator-store.ts';
import { configOption, gatheringOption, onceOption, timeOption } from '../option-parsers.ts';
import { plain, type Terminal } from '../terminal.ts';

type Filters = Pick<
  AuditSearch,
  'text' | 'kind' | 'result' | 'email' | 'share' | 'provider' | 'actor' | 'since' | 'until'
>;
type Options = ConnectionOptions &
  Filters &
  ConfigOptions & {
    readonly last?: number;
    readonly follow?: true;
    readonly operator?: true;
    readonly json?: true;
  };

export function addAudit(program: Command, terminal: Terminal): void {
  const command = newCommand(program, 'audit', [
    'doorward audit --since 1h',
    'doorward audit --kind login.refused --since 7d --json',
    "doorward audit --text 'ann@ 192.0.2' --result refused",
    'doorward audit --follow',
  ])
    .description('show audit events of the account: logins, refusals, changes, by whom and from where')
    .addOption(
      gatheringOption('--kind <kind>', 'only events of this kind, such as login.refused; repeatable'),
    )
    .addOption(
      onceOption(
        '--text <words>',
        'only events with each of these words or parts of words: a person, address, share, rule, change',
      ),
    )
    .addOption(new Option('--result <result>', 'only events with this result').choices([...AUDIT_RESULTS]))
    .addOption(onceOption('--email <address>', 'only of this person'))
    .addOption(onceOption('--share <name>', 'only of this share: its name, or its id if it was deleted'))
    .addOption(onceOption('--provider <name>', 'only of this provider'))
    .addOption(onceOption('--actor <actor>', 'only by this actor, as --json names it: member:mem_…'))
    .addOption(timeOption('--since <time>', 'from this time on: 2030-01-31T09:00:00Z, or 1h, 7d ago'))
    .addOption(timeOption('--until <time>', 'before this time, in the same format'))
    .addOption(
      new Option(
        '--last <number>',
        'only this many, the newest (default: 20 on a terminal without --since; all with --json)',
      ).argParser(parseCount),
    )
    .addOption(new Option('--follow', 'show new events as they happen, until stopped'))
    .addOption(
      new Option(
        '--operator',
        'events that belong to no account: backups, restores, rotated keys, reloads; from the database, on its machine',
      ),
    )
    .addOption(configOption());
  addConnectionOptions(command)
    .addOption(new Option('--json', 'print each event as one line of JSON'))
    .action(async (options: Options) => {
      const tell = (events: readonly AuditEventObject[]): void => {
        for (const event of events)
          terminal.out(options.json ? `${JSON.stringify(event)}\n` : lineOf(event, terminal));
      };
      if (options.operator) return tellOperators(options, lastOf(options), tell);
      const { auditEvents } = await connect(terminal, options);
      const place = await tellPast(auditEvents, options, tell);
      if (options.follow) await follow({ calls: auditEvents, options, place, tell, terminal });
    });
}

type Tell = (events: readonly AuditEventObject[]) => void;

/** Answers the place from which to follow. */
async function tellPast(calls: AuditCalls, options: Options, tell: Tell): Promise<string> {
  const filters = filtersOf(options);
  const last = lastOf(options);
  if (last !== null) return tellLast(calls, { filters, last }, tell);
  let cursor: string | null = null;
  for (;;) {
    const page = await calls.list({ ...filters, order: 'oldest', cursor, limit: PAGE });
    tell(page.items);
    if (page.nextCursor === null) return page.followCursor;
    cursor = page.nextCursor;
  }
}

function lastOf({ last, json, since }: Options): number | null {
  return last ?? (json || since !== undefined ? null : LAST_FOR_PEOPLE);
}

/**
 * Read newest first, told oldest first. What is written down meanwhile comes after the first page's place.
 */
async function tellLast(
  calls: AuditCalls,
  { filters, last }: { readonly filters: Filters; readonly last: number },
  tell: Tell,
): Promise<string> {
  const events: AuditEventObject[] = [];
  let place: string | null = null;
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE, Math.max(1, last - events.length));
    const page = await calls.list({ ...filters, order: 'newest', cursor, limit });
    place ??= page.followCursor;
    events.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && events.length < last);
  tell(events.slice(0, last).toReversed());
  return place;
}

type Following = {
  readonly calls: AuditCalls;
  readonly options: Options;
  readonly place: string;
  readonly tell: Tell;
  readonly terminal: Terminal;
};

/**
 * Until the process is stopped. A service that is away is waited for: its events are all there when it is
 * back.
 */
async function follow({ calls, options, place, tell, terminal }: Following): Promise<never> {
  const filters = filtersOf(options);
  let cursor = place;
  let away = false;
  for (;;) {
    try {
      const page = await calls.list({ ...filters, order: 'oldest', cursor, limit: PAGE });
      if (away) terminal.err('Reconnected.\n');
      away = false;
      tell(page.items);
      cursor = page.nextCursor ?? page.followCursor;
      if (page.nextCursor === null) await pause(POLL_MS);
    } catch (error) {
      if (!(error instanceof ServiceError && PASSING.has(error.code))) throw error;
      if (!away) terminal.err(`${plain(error.message)}. Waiting for the service.\n`);
      away = true;
      await pause(AGAIN_MS);
    }
  }
}

function filtersOf(options: Options): Filters {
  const { text, kind, result, email, share, provider, actor, since, until } = options;
  return { text, kind, result, email, share, provider, actor, since, until };
}

function lineOf(event: AuditEventObject, terminal: Terminal): string {
  const parts = [
    event.at,
    event.kind.padEnd(KIND_WIDTH),
    event.result.padEnd(RESULT_WIDTH),
    event.email ?? event.actor ?? '-',
    event.ip ?? '-',
    ...[event.provider, event.shareId, event.reason].filter((part) => part !== null),
    ...(event.email !== null && event.actor !== null ? [`by ${event.actor}`] : []),
    ...(event.rule === null ? [] : [`rule ${event.rule}`]),
    ...changeTexts(event.changes),
  ];
  return wrappedLine(parts, terminal);
}

function parseCount(text: string, previous: number | undefined): number {
  if (previous !== undefined) throw new InvalidArgumentError('It may be given only once.');
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1.');
  return Number(text);
}

const PASSING: ReadonlySet<string> = new Set(['control_unreachable', 'store_unavailable', 'rate_limited']);
/** The largest page that the API gives. */
const PAGE = 200;
const LAST_FOR_PEOPLE = 20;
const POLL_MS = 1_000;
const AGAIN_MS = 2_000;
/** The longest kind has 22. */
const KIND_WIDTH = 22;
/** `refused`. */
const RESULT_WIDTH = 7;
