// docs/reference/commands.md, from the tree of commands.

import type { Argument, Command } from 'commander';
import { examplesOf } from '../../src/cli/help-examples.ts';
import { createProgram } from '../../src/cli/program.ts';
import { Secret } from '../../src/domain/secret.ts';
import { table } from './table.ts';

export function commandsDocument(): string {
  const nowhere = {
    out: () => undefined,
    err: () => undefined,
    env: {},
    readSecret: async () => new Secret(''),
  };
  const program = createProgram(nowhere, () => undefined);
  return `# Commands

<!-- Written by scripts/reference-docs.ts: do not edit. -->

\`doorward <noun> <verb>\`. Answers go to standard output, all else to the error stream; with \`--json\` the answer is
the control API's object. Exit codes: 0 done, 1 failed, 2 wrong usage or bad configuration, 4 not allowed.

Options may be given once, but for those that say that they are repeatable. An environment variable stands for its option
where the option is not given. \`DOORWARD_API_KEY\` holds an API key; there is no option for it, since the words of a command
can be read by everybody on the machine. \`HTTPS_PROXY\`, \`HTTP_PROXY\` and \`NO_PROXY\` name [the proxy](../how-to/command-line.md#behind-a-proxy)
of commands and agents.

${verbs(program).map(section).join('\n')}`;
}

/** The commands that do something, in the order of the program's own help. */
function verbs(command: Command): readonly Command[] {
  if (command.commands.length === 0) return [command];
  const shown = command.createHelp().visibleCommands(command);
  return command.commands.filter((each) => shown.includes(each)).flatMap(verbs);
}

function section(command: Command): string {
  const name = nameOf(command);
  const words = command.registeredArguments.map((argument) => ` ${wordOf(argument)}`).join('');
  const rows = [
    ...command.registeredArguments.map((argument) => [`\`${wordOf(argument)}\``, argument.description, '']),
    ...command.options.map((option) => [
      `\`${option.flags}\``,
      `${option.description}${option.mandatory ? ' (required)' : ''}`,
      option.envVar === undefined ? '' : `\`${option.envVar}\``,
    ]),
  ];
  return `## ${name}

\`\`\`
${name}${words} [options]
\`\`\`

${sentence(command.description())}

${examples(command)}${table(['Argument or option', 'Meaning', 'Environment'], rows)}`;
}

function examples(command: Command): string {
  const lines = examplesOf(command);
  return lines.length === 0 ? '' : `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n\n`;
}

function wordOf(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
