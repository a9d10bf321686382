// What a person sees: the address first, alone on its line, then how the share is protected, then a line a
// request. Answers go to standard output, what happens to the share itself to standard error.

import { renderUnicodeCompact } from 'uqr';
import type { ShareObject } from '../../../wire/share.ts';
import { formatDuration } from '../../../domain/duration.ts';
import { alignedRows } from '../../columns.ts';
import { plain, type Terminal } from '../../terminal.ts';
import { loginText, settingRows } from '../text.ts';
import { requestLine, timeOfDay } from './request-line.ts';
import type { Farewell, LinkEvent } from './serve-share.ts';
import { howToClose, OPEN_WARNING, type ShownTarget, type View } from './view.ts';

export type PersonViewOptions = {
  /** The address alone, and warnings. */
  readonly quiet: boolean;
  readonly qr: boolean;
  readonly now: () => number;
};

export function createPersonView(terminal: Terminal, { quiet, qr, now }: PersonViewOptions): View {
  const colours = terminal.colours ?? false;
  const note = (text: string): void => terminal.err(`${timeOfDay(now())}  ${plain(text)}\n`);
  return {
    ready: (share, target) => {
      terminal.out(`${plain(share.url)}\n`);
      if (qr) terminal.out(`\n${renderUnicodeCompact(share.url)}\n`);
      if (!quiet) terminal.out(`\n${facts(share, target.text)}\n`);
      for (const warning of warnings(share, target)) terminal.err(`warning: ${plain(warning)}\n`);
    },
    request: quiet ? null : (request) => terminal.out(requestLine(request, colours)),
    link: (event) => note(linkText(event)),
    stopping: () => {
      if (!quiet) note('stopping: waiting for running requests; press Ctrl+C again to cut them');
    },
    refused: () => undefined,
    stopped: (share, farewell) => {
      if (!quiet || farewell.kind === 'left') note(farewellText(share, farewell));
    },
  };
}

function facts(share: ShareObject, target: string): string {
  return alignedRows([
    ['login', loginText(share)],
    ...settingRows(share),
    ['serves', target],
    [
      'expires',
      share.tunnel === 'ephemeral' ? 'with this command: Ctrl+C' : `never: "${share.name}" is kept`,
    ],
  ]);
}

function warnings(share: ShareObject, { text, listening }: ShownTarget): readonly string[] {
  return [
    ...(listening ? [] : [`nothing listens at ${text} yet; visitors get an error until something does`]),
    ...(share.open ? [`${OPEN_WARNING}; ${howToClose(share, HOW_TO_CLOSE)}`] : []),
  ];
}

export function linkText(event: LinkEvent): string {
  switch (event.kind) {
    case 'away':
      return 'away: the connection to the gateway is lost; reconnecting';
    case 'retrying':
      return `still away: ${event.fault.message}; retrying`;
    case 'back':
      return `back after ${formatDuration(Math.max(1_000, Math.round(event.awayMs / 1_000) * 1_000))}`;
  }
}

function farewellText(share: ShareObject, farewell: Farewell): string {
  switch (farewell.kind) {
    case 'removed':
      return `stopped: ${share.url} is gone`;
    case 'kept':
      return `stopped: ${share.url} is kept, and unavailable until you share it again with --name ${share.name}`;
    case 'left':
      return `stopped, but ${share.url} could not be removed: ${farewell.fault.message}. It no longer works, and the service deletes it within a few hours`;
  }
}

const HOW_TO_CLOSE = 'to require a login, give --oauth-provider NAME';
