// `doorward person show EMAIL`: what somebody holds, and what they could open, share by share, and why.

import type { Command } from 'commander';
import { ServiceError } from '../../domain/service-error.ts';
import type { PersonObject } from '../../wire/person.ts';
import type { PersonShareObject, PersonSharesPage } from '../../wire/who.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { heldText } from './held-text.ts';

type Options = ConnectionOptions & {
  readonly provider?: string;
  readonly certificate?: string;
  readonly json?: true;
};

export function addPersonShow(person: Command, terminal: Terminal): void {
  const command = newCommand(person, 'show', [
    'doorward person show ann@example.com',
    'doorward person show ann@example.com --provider google',
    'doorward person show --certificate cer_01jd3b2v9k6w8y4n5q7r0t1s2x',
  ])
    .description('show what somebody holds, and what they could open, share by share, and why')
    .argument('[email]', 'the email address')
    .addOption(onceOption('--provider <name>', 'where the person logs in; default: any of a share'))
    .addOption(onceOption('--certificate <id>', 'a client certificate that the person has: id or serial'));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (email: string | undefined, options: Options) => {
      const { provider, certificate, json, ...connection } = options;
      if (email === undefined && certificate === undefined)
        throw new ServiceError('usage', 'Cannot show a person: give an email address or --certificate');
      const { people, shares } = await connect(terminal, connection);
      const held = email === undefined ? null : await unlessRefused(people.show(email));
      let first: PersonSharesPage | null = null;
      const items = await everyPage<PersonShareObject>(async (page) => {
        const found = await shares.ofPerson({ email, provider, certificate, ...page });
        first ??= found;
        return found;
      });
      const logins = (first as PersonSharesPage | null)?.logins ?? [];
      if (json) return printJson(terminal, { logins, items, nextCursor: null, person: held });
      terminal.out(`${heldLine(held)}${loginsText(logins)}${sharesText(items, terminal)}`);
    });
}

/** Null to members who are no admins, for whom this stays a list of shares. */
async function unlessRefused(asked: Promise<PersonObject>): Promise<PersonObject | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_allowed') return null;
    throw error;
  }
}

function heldLine(held: PersonObject | null): string {
  if (held === null) return '';
  const { member, counts } = held;
  return `${member === null ? 'not a member' : `member with role ${member.role}`}; ${heldText(counts)}\n`;
}

function loginsText(logins: PersonSharesPage['logins']): string {
  return logins
    .map(({ provider, groups, at }) => {
      const named = groups === null ? 'groups not known' : `groups ${groups.join(', ') || 'none'}`;
      return `logged in with ${plain(provider)} on ${minuteText(at)}: ${plain(named)}\n`;
    })
    .join('');
}

function sharesText(items: readonly PersonShareObject[], terminal: Pick<Terminal, 'width'>): string {
  if (items.length === 0) return 'No shares.\n';
  return tableText(
    [['SHARE', 'OUTCOME', 'WHY'], ...items.map(({ share, outcome, detail }) => [share, outcome, detail])],
    terminal,
  );
}
