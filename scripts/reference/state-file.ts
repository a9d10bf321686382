// docs/reference/state-file.md, from the description of the keys and the example.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  STATE_FIELDS,
  STATE_HOST_FIELDS,
  STATE_POLICY_FIELDS,
  STATE_PROVIDER_FIELDS,
  STATE_PROVIDER_SETTINGS,
  STATE_SECTION_FIELDS,
  STATE_SHARE_FIELDS,
  STATE_TOKEN_FIELDS,
  STATE_WEBHOOK_FIELDS,
} from '../../src/config/describe-state.ts';
import { type FieldSection, fieldSection } from './field-section.ts';

const SECTIONS: readonly FieldSection[] = [
  { title: 'The file', fields: STATE_FIELDS },
  { title: '`providers[]`', fields: STATE_PROVIDER_FIELDS },
  {
    title: '`providers[]`: settings',
    note: 'Each type has some of them.',
    fields: STATE_PROVIDER_SETTINGS,
  },
  {
    title: '`shares[]`',
    note: 'One of `target`, `tunnel` and `behind` is needed.',
    fields: STATE_SHARE_FIELDS,
  },
  ...Object.entries(STATE_SECTION_FIELDS).map(([key, fields]) => ({ title: `\`shares[].${key}\``, fields })),
  { title: '`hosts[]`', fields: STATE_HOST_FIELDS },
  { title: '`tokens[]`', fields: STATE_TOKEN_FIELDS },
  {
    title: '`webhooks[]`',
    note: 'A webhook is found by name and URL, then by name, then by URL.',
    fields: STATE_WEBHOOK_FIELDS,
  },
  { title: '`certificate_policy`', fields: STATE_POLICY_FIELDS },
];

export function stateFileDocument(): string {
  const example = readFileSync(join(import.meta.dirname, '../../examples/state.yaml'), 'utf8');
  return `# State file

<!-- Written by scripts/reference-docs.ts: do not edit. -->

What [\`doorward apply\`](../how-to/gitops.md) takes and \`doorward export\` writes: the state of an account, without
its secrets. Each key is the name of the control API in snake case. Errors are told all at once, with line and column,
before anything is changed; a key that is not named below is an error.

- **A section that is left out is not managed**: nothing of it is changed or deleted. \`[]\` says that there is nothing:
  \`--prune\` then deletes what there is.
- **A thing is meant as a whole**: a key that is left out has its default, whatever the thing had before.
- **Secrets** are never in the file: \`{ env: NAME }\` or \`{ file: PATH }\` says where one is, relative to the file's
  folder. A secret that is left out stays as it is.
- **Not in it**: members, API keys, certificates and their request tokens, sessions, ephemeral shares, expired service
  tokens.

${SECTIONS.map(fieldSection).join('\n')}
## Example

[examples/state.yaml](../../examples/state.yaml):

\`\`\`yaml
${example}\`\`\`
`;
}
