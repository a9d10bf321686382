// An account's state as the text of a state file (`doorward export`): always the same for the same state.

import { Document, type YAMLMap, isMap } from 'yaml';
import { snakeCase } from '../domain/share-values.ts';
import type { AccountState, StateProvider } from '../wire/state.ts';

export function stateText(state: AccountState): string {
  const { providers, certificatePolicy, ...others } = state;
  const document = new Document(
    {
      ...(providers === undefined ? {} : { providers: providers.map(providerEntry) }),
      ...Object.fromEntries(
        Object.entries(others).map(([section, things]) => [section, (things ?? []).map(snakeEntries)]),
      ),
      ...(certificatePolicy === undefined ? {} : { certificate_policy: snakeEntries(certificatePolicy) }),
    },
    { version: '1.2', aliasDuplicateObjects: false },
  );
  for (const [index, { name }] of (providers ?? []).entries()) {
    const entry = document.getIn(['providers', index]);
    if (isMap(entry)) (entry as YAMLMap).comment = ` client_secret: { env: ${variableOf(name)} }`;
  }
  const left = SECTIONS.filter((section) => state[section] === undefined && section !== 'certificatePolicy');
  const missing =
    left.length === 0
      ? ''
      : `# Left out, since this key cannot read them: ${left.map(snakeCase).join(', ')}.\n`;
  return `${HEADER}${missing}\n${document.toString({ lineWidth: 0 })}`;
}

function providerEntry({ name, type, config }: StateProvider): object {
  return { name, type, ...snakeEntries(config) };
}

/** Rules and parameters are written as they are: their keys are names already. */
function snakeEntries(thing: object): object {
  return Object.fromEntries(Object.entries(thing).map(([name, value]) => [snakeCase(name), value]));
}

/** `CORP_CLIENT_SECRET`. */
function variableOf(name: string): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_CLIENT_SECRET`;
}

const SECTIONS = ['providers', 'shares', 'hosts', 'tokens', 'webhooks', 'certificatePolicy'] as const;
const HEADER = `# The state of a Doorward account. To see what differs: doorward apply -f FILE --dry-run
# A section that is left out is not managed; a setting that is left out has its default.
# Secrets are not in this file: \`{ env: NAME }\` or \`{ file: PATH }\` sets one, and one that is left out stays.
# Members, API keys, certificates and sessions are not part of it.
`;
