// `--json`: one JSON object a line on standard output, the first of them `ready` with the address.

import type { ServiceError } from '../../../domain/service-error.ts';
import type { Terminal } from '../../terminal.ts';
import { OPEN_WARNING, type View } from './view.ts';
import { jsonLine } from './visible.ts';

export type JsonTell = (event: string, members?: object) => void;

export type JsonViewOptions = {
  /** No line a request. */
  readonly quiet: boolean;
  readonly now: () => number;
  /** Where events go; the terminal unless said. */
  readonly tell?: JsonTell;
};

export function createJsonView(
  terminal: Terminal,
  { quiet, now, tell = jsonTell(terminal, now) }: JsonViewOptions,
): View & { readonly tell: JsonTell } {
  return {
    tell,
    ready: (share, { text, listening }) => {
      const warning = share.open ? { warning: OPEN_WARNING } : {};
      tell('ready', { url: share.url, target: text, listening, ...warning, share });
    },
    request: quiet ? null : ({ at: _end, ...request }) => tell('request', request),
    link: (event) => {
      if (event.kind === 'retrying') tell('retrying', faultOf(event.fault));
      else if (event.kind === 'away') tell('away');
      else tell('back', { awayMs: Math.round(event.awayMs) });
    },
    stopping: () => tell('stopping'),
    refused: (share, fault) => tell('stopped', { url: share.url, share: 'refused', ...faultOf(fault) }),
    stopped: (share, farewell) =>
      tell('stopped', {
        url: share.url,
        share: farewell.kind,
        ...(farewell.kind === 'left' ? faultOf(farewell.fault) : {}),
      }),
  };
}

function jsonTell(terminal: Terminal, now: () => number): JsonTell {
  return (event, members = {}) =>
    terminal.out(jsonLine({ event, ...members, at: new Date(now()).toISOString() }));
}

export function faultOf({ code, message, hint }: ServiceError): object {
  return { code, detail: message, ...(hint === null ? {} : { hint }) };
}
