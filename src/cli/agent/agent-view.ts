// What an agent that runs as a service tells: one line an event, for people or as JSON, each with the name of
// its share.

import { type ConfigFault, describeFault } from '../../config/config-fault.ts';
import type { ServiceError } from '../../domain/service-error.ts';
import { createJsonView, faultOf, type JsonTell } from '../shares/sharing/json-view.ts';
import { linkText } from '../shares/sharing/person-view.ts';
import { requestLine, timeOfDay } from '../shares/sharing/request-line.ts';
import { plain, type Terminal } from '../terminal.ts';
import { howToClose, OPEN_WARNING } from '../shares/sharing/view.ts';
import type { KeepOptions } from './keep-share.ts';

export type AgentView = {
  readonly viewOf: (name: string) => KeepOptions['view'];
  readonly started: (shares: number) => void;
  readonly reloaded: (shares: number) => void;
  /** The former file stays. */
  readonly reloadFailed: (file: string, faults: readonly ConfigFault[]) => void;
  readonly stopping: () => void;
};

export type AgentViewOptions = {
  /** No line a request. */
  readonly quiet: boolean;
  readonly now: () => number;
};

/** Everything on standard output, a JSON object a line. */
export function createJsonAgentView(terminal: Terminal, options: AgentViewOptions): AgentView {
  const { tell } = createJsonView(terminal, options);
  return {
    viewOf: (name) => {
      const named: JsonTell = (event, members) => tell(event, { name, ...members });
      return {
        ...createJsonView(terminal, { ...options, tell: named }),
        failed: (fault, waitMs) => named('failed', { ...faultOf(fault), retryMs: Math.round(waitMs) }),
      };
    },
    started: (shares) => tell('started', { shares }),
    reloaded: (shares) => tell('reloaded', { shares }),
    reloadFailed: (_file, faults) => tell('reload_failed', { faults }),
    stopping: () => tell('stopping'),
  };
}

/** Requests on standard output, what happens to the shares on standard error. */
export function createPersonAgentView(terminal: Terminal, { quiet, now }: AgentViewOptions): AgentView {
  const colours = terminal.colours ?? false;
  const note = (text: string): void => terminal.err(`${timeOfDay(now())}  ${plain(text)}\n`);
  return {
    viewOf: (name) => ({
      ready: (share, { text, listening }) => {
        note(`${name}: serves ${text} at ${share.url}`);
        if (!listening) note(`${name}: nothing listens at ${text} yet`);
        if (share.open) note(`${name}: warning: ${OPEN_WARNING}; ${howToClose(share, HOW_TO_CLOSE)}`);
      },
      request: quiet ? null : (request) => terminal.out(`${name}  ${requestLine(request, colours)}`),
      link: (event) => note(`${name}: ${linkText(event)}`),
      stopping: () => undefined,
      refused: (_share, fault) => note(`${name}: ended by the gateway: ${faultText(fault)}`),
      stopped: () => note(`${name}: stopped`),
      failed: (fault, waitMs) =>
        note(`${name}: ${faultText(fault)}; retrying in ${Math.ceil(waitMs / 1_000)} s`),
    }),
    started: (shares) => note(`keeping ${count(shares)} up`),
    reloaded: (shares) => note(`reloaded the file: serving ${count(shares)}`),
    reloadFailed: (file, faults) => {
      for (const fault of faults) terminal.err(`error: ${plain(describeFault(file, fault))}\n`);
      note('cannot use the file: the previous settings stay');
    },
    stopping: () => note('stopping: waiting for running requests; send the signal again to cut them'),
  };
}

function faultText({ message, hint }: ServiceError): string {
  return hint === null ? message : `${message} (${hint})`;
}

function count(shares: number): string {
  return shares === 1 ? 'one share' : `${shares} shares`;
}

const HOW_TO_CLOSE =
  'To require a login, set oauth_provider; to require certificates, set client_certificate.';
