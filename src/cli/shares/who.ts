// `doorward share who NAME`: who of the people that the account knows could get in, and whom else the rules
// speak of.

import type { Command } from 'commander';
import { ruleName } from '../../domain/rule-name.ts';
import type { KnownPersonObject, RuleSentence } from '../../wire/who.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly json?: true };

export function addShareWho(share: Command, terminal: Terminal): void {
  const command = newCommand(share, 'who', ['doorward share who wiki'])
    .description('list who could get in, of the people that the account knows, and why')
    .argument('<name>', 'the share’s name or id');
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const { shares } = await connect(terminal, options);
      const items: KnownPersonObject[] = [];
      let page = await shares.who(name);
      items.push(...page.items);
      while (page.nextCursor !== null) {
        page = await shares.who(name, { cursor: page.nextCursor, limit: PAGE });
        items.push(...page.items);
      }
      if (options.json) return printJson(terminal, { ...page, items, nextCursor: null });
      terminal.out(`${sentences(page.rules)}\n${peopleText(items, terminal)}`);
    });
}

function sentences(rules: readonly RuleSentence[]): string {
  return rules
    .map(({ rule, effect, text }) => {
      const lead = effect === 'allow' ? 'let in' : 'deny';
      return `${lead}: ${plain(text)} (${ruleName(rule, effect)})\n`;
    })
    .join('');
}

function peopleText(people: readonly KnownPersonObject[], terminal: Pick<Terminal, 'width'>): string {
  if (people.length === 0) return 'The account knows nobody yet.\n';
  return tableText(
    [
      ['WHO', 'BY', 'OUTCOME', 'WHY'],
      ...people.map(({ email, provider, certificate, outcome, detail }) => [
        email ?? certificate?.commonName ?? '',
        provider ?? 'certificate',
        outcome,
        detail,
      ]),
    ],
    terminal,
  );
}

const PAGE = 50;
