// `doorward share test NAME --email A …`: would somebody of whom this is said get in, and why. Exit code 1
// unless they would for certain.

import type { Command } from 'commander';
import { ruleName } from '../../domain/rule-name.ts';
import type { ShareTest } from '../../wire/share-test.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { readRuleFile } from './rule-file.ts';
import { addFactOptions, factsOf, type FactOptions } from './try-facts.ts';

type Options = ConnectionOptions & FactOptions & { readonly ruleFile?: string; readonly json?: true };

export function addShareTest(share: Command, terminal: Terminal, exitWith: ExitWith): void {
  const command = newCommand(share, 'test', [
    'doorward share test wiki --email ann@example.com',
    'doorward share test wiki --email ann@example.com --group eng-web --address 10.1.2.3 --path /admin',
    'doorward share test wiki --email ann@example.com --rule-file rules.yaml',
  ])
    .description('check who would get in, and why; exit code 1 if they would not')
    .argument('<name>', 'the share’s name or id');
  addFactOptions(command);
  addConnectionOptions(command)
    .addOption(
      onceOption('--rule-file <file>', 'test these rules in place of those of the share; nothing is changed'),
    )
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const { ruleFile } = options;
      const unsaved = ruleFile === undefined ? {} : { settings: { rules: await readRuleFile(ruleFile) } };
      const { shares } = await connect(terminal, options);
      const found = await shares.test(name, { ...factsOf(options), ...unsaved });
      if (options.json) printJson(terminal, found);
      else terminal.out(testText(found));
      if (!found.allowed) exitWith(REFUSED);
    });
}

function testText(found: ShareTest): string {
  const { share, email, allowed, outcome, detail, needsVerifiedEmail } = found;
  const verified = allowed && needsVerifiedEmail ? ', if the provider says that the address is verified' : '';
  const who = email === null ? '' : `${plain(email)} at `;
  return `${outcome}: ${who}${plain(share)}: ${plain(detail)}${verified}\n${found.rules.map(ruleText).join('')}`;
}

function ruleText({ rule, effect, held, conditions }: ShareTest['rules'][number]): string {
  const lines = conditions.map((each) => `    ${plain(each.text)}: ${each.held}\n`);
  return `  ${ruleName(rule, effect)}: ${held}\n${lines.join('')}`;
}

const REFUSED = 1;
