// `doorward access grant ID --for 7d`: lets in who asked, for a time.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseRuleEnd } from '../../domain/rule-end.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { AccessGrantInput } from '../../wire/access-request.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

type Options = ConnectionOptions & AccessGrantInput & { readonly json?: true };

export function addAccessGrant(access: Command, terminal: Terminal): void {
  const command = newCommand(access, 'grant', [
    'doorward access grant arq_01jd3b2v9k6w8y4n5q7r0t1s2x --for 7d',
    'doorward access grant arq_01jd3b2v9k6w8y4n5q7r0t1s2x --until 2027-01-31',
  ])
    .description('let in who asked, for a time; adds a rule to the share')
    .argument('<id>', 'id of the request')
    .addOption(onceOption('--for <duration>', 'how long, such as 7d; at most 90d'))
    .addOption(untilOption());
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (id: string, { for: lasting, until, json, ...options }: Options) => {
      if ((lasting === undefined) === (until === undefined))
        throw new ServiceError('usage', 'Cannot grant access: give either --for or --until');
      const { accessRequests } = await connect(terminal, options);
      const granted = await accessRequests.grant(id, { for: lasting, until });
      if (json) return printJson(terminal, granted);
      const { email, share, shareId, grantedUntil } = granted;
      const end = grantedUntil === null ? '' : ` until ${minuteText(grantedUntil)}`;
      terminal.err(`${plain(email)} can open ${plain(share ?? shareId)}${end}.\n`);
    });
}

/** RFC 3339: a day counts whole, as it does in a rule. */
function untilOption(): Option {
  const flags = '--until <date>';
  const about = 'the last day, such as 2027-01-31, or a time such as 2027-01-31T18:00:00Z';
  return new Option(flags, about).argParser<string>((text, previous: string | undefined) => {
    if (previous !== undefined) throw new InvalidArgumentError('It may be given only once.');
    try {
      return new Date(parseRuleEnd(text)).toISOString();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new InvalidArgumentError(error.hint ?? error.message);
    }
  });
}
