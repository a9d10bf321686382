// `doorward session list`: who is logged in, where from, since when and until when.

import { type Command, Option } from 'commander';
import { SESSION_ORDERS, type SessionOrder, type SortName } from '../../domain/list-orders.ts';
import type { SessionObject } from '../../wire/session.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

type Options = ConnectionOptions & {
  readonly email?: string;
  readonly share?: string;
  readonly provider?: string;
  readonly ip?: string;
  readonly state: 'active' | 'ended' | 'all';
  readonly refused?: true;
  readonly sort?: SortName<SessionOrder>;
  readonly json?: true;
};

export function addSessionList(session: Command, terminal: Terminal): void {
  const command = newCommand(session, 'list', [
    'doorward session list --share wiki',
    'doorward session list --sort -last_seen',
  ])
    .description('list who is logged in to the shares of the account')
    .addOption(onceOption('--email <address>', 'only of this person'))
    .addOption(onceOption('--share <name>', 'only of this share: its name, or its id if it was deleted'))
    .addOption(onceOption('--provider <name>', 'only of this provider'))
    .addOption(onceOption('--ip <address>', 'only those that logged in from this address'))
    .addOption(
      new Option('--state <state>', '`active` (default), `ended` (kept for a week) or `all`')
        .choices(['active', 'ended', 'all'])
        .default('active'),
    )
    .addOption(new Option('--refused', 'only those that the rules of `--share` no longer let in'))
    .addOption(sortOption(SESSION_ORDERS));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async ({ email, share, provider, ip, state, refused, sort, ...options }: Options) => {
      const { sessions } = await connect(terminal, options);
      const search = {
        email,
        share,
        provider,
        ip,
        state: state === 'all' ? undefined : state,
        admission: refused === true ? ('refused' as const) : undefined,
        sort,
      };
      const items = await everyPage<SessionObject>((page) => sessions.list({ ...search, ...page }));
      if (options.json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? 'No matching sessions.\n' : sessionTable(items, terminal));
    });
}

function sessionTable(sessions: readonly SessionObject[], terminal: Pick<Terminal, 'width'>): string {
  const areRefused = sessions.some(({ refusal }) => refusal !== undefined);
  return tableText(
    [
      [
        'WHO',
        'SHARE',
        'PROVIDER',
        'FROM',
        'SINCE',
        'LAST SEEN',
        'UNTIL',
        'ID',
        ...(areRefused ? ['WHY REFUSED'] : []),
      ],
      ...sessions.map((session) => [
        session.email,
        session.share ?? session.shareId,
        session.provider,
        session.ip ?? '',
        minuteText(session.createdAt),
        minuteText(session.lastSeenAt),
        untilText(session),
        session.id,
        ...(areRefused ? [session.refusal ?? ''] : []),
      ]),
    ],
    terminal,
  );
}

function untilText({ active, endedAt, endReason, expiresAt }: SessionObject): string {
  if (endedAt !== null) return `${minuteText(endedAt)} (${endReason ?? 'ended'})`;
  return active ? minuteText(expiresAt) : `${minuteText(expiresAt)} (expired)`;
}
