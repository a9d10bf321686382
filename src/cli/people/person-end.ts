// `doorward person end EMAIL`: all access of a person ends at once.

import { type Command, Option } from 'commander';
import type { EndAccessInput, EndedAccessObject, PersonCounts } from '../../wire/person.ts';
import { newCommand } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { choiceOption, jsonOption } from '../option-parsers.ts';
import { REASONS } from '../certificates/revoke.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { heldText } from './held-text.ts';

type Options = ConnectionOptions &
  ConfirmOptions &
  Pick<EndAccessInput, 'reason'> & { readonly removeMember?: true; readonly json?: true };

export function addPersonEnd(person: Command, terminal: Terminal): void {
  const command = newCommand(person, 'end', [
    'doorward person end ann@example.com',
    'doorward person end ann@example.com --remove-member --reason key_compromise --yes',
  ])
    .description('end all access of a person: sessions, certificates, unused tokens, API keys')
    .argument('<email>', 'the email address')
    .addOption(new Option('--remove-member', 'also remove the person from the members of the account'))
    .addOption(choiceOption('--reason <reason>', 'why certificates are revoked, on the CRL', REASONS));
  addYesOption(addConnectionOptions(command))
    .addOption(jsonOption())
    .action(async (email: string, { removeMember, reason, json, ...options }: Options) => {
      const { people } = await connect(terminal, options);
      const { counts } = await people.show(email);
      await confirm(terminal, options, questionOf(email, counts, removeMember === true));
      const membership = removeMember === true ? 'remove' : 'keep';
      const ended = await people.endAccess({ email, membership, reason });
      if (json) return printJson(terminal, ended);
      terminal.out(endedText(ended));
      terminal.err(
        'The rules of shares stay: the person can log in again where a rule lets them in ("doorward person show").\n',
      );
    });
}

function questionOf(email: string, counts: PersonCounts, removesMember: boolean): string {
  const also = removesMember ? ', and remove the membership' : '';
  return `End all access of ${email} (${heldText(counts)})${also}? This cannot be undone.`;
}

function endedText({
  sessions,
  consoleSessions,
  certificates,
  requestTokens,
  apiKeys,
  serviceTokens,
  membership,
}: EndedAccessObject): string {
  return [
    `sessions ended: ${sessions}\n`,
    `console sessions ended: ${consoleSessions}\n`,
    `certificates revoked: ${certificates.length}\n${names(certificates)}`,
    `certificate request tokens deleted: ${requestTokens.length}\n${names(requestTokens)}`,
    `API keys deleted: ${apiKeys.length}\n${names(apiKeys)}`,
    serviceTokens.count === 0
      ? ''
      : `service tokens ${serviceTokens.deleted ? 'deleted' : 'that still work'}: ${serviceTokens.count}\n`,
    membership === 'none' ? '' : `membership: ${membership}\n`,
  ].join('');
}

function names(things: EndedAccessObject['apiKeys']): string {
  return things.map(({ id, name }) => `  ${plain(name)} (${id})\n`).join('');
}
