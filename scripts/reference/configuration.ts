// docs/reference/configuration.md, from the description of the keys and the example.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BRAND_FIELDS,
  CONTROL_FIELDS,
  GATEWAY_FIELDS,
  KEY_PAIR_FIELDS,
  LIMIT_FIELDS,
  LOG_FIELDS,
  METRICS_FIELDS,
  OPERATOR_FIELDS,
  TRACING_FIELDS,
  FORWARD_AUTH_FIELDS,
  PKI_FIELDS,
  OAUTH_FIELDS,
  STORE_FIELDS,
  TLS_FIELDS,
  TOP_FIELDS,
  TUNNEL_FIELDS,
} from '../../src/config/describe.ts';
import { ACME_FIELDS, DNS_PROVIDER_FIELDS, EAB_FIELDS } from '../../src/config/describe-acme.ts';
import { AGENT_FIELDS, AGENT_SECTION_FIELDS, AGENT_SHARE_FIELDS } from '../../src/config/describe-agent.ts';
import { OWN_PROVIDER_FIELDS, PROVIDER_ENTRY_FIELDS } from '../../src/config/describe-provider.ts';
import { RESTART_SETTINGS } from '../../src/serve/restart-needed.ts';
import { type FieldSection, fieldSection } from './field-section.ts';

const SECTIONS: readonly FieldSection[] = [
  { title: 'The file', fields: TOP_FIELDS },
  { title: '`tls[]`', fields: TLS_FIELDS },
  { title: '`acme`', fields: ACME_FIELDS },
  { title: '`acme.eab`', fields: EAB_FIELDS },
  ...Object.entries(DNS_PROVIDER_FIELDS).map(([provider, fields]) => ({
    title: `\`acme.dns\` with \`provider: ${provider}\``,
    fields,
  })),
  { title: '`gateway`', fields: GATEWAY_FIELDS },
  {
    title: '`oauth`',
    note: "Its `bind_address` may be the gateway's: the host then tells which of the two is meant.",
    fields: OAUTH_FIELDS,
  },
  { title: '`oauth.previous_keys[]`', fields: KEY_PAIR_FIELDS },
  { title: '`oauth.providers[]`', fields: PROVIDER_ENTRY_FIELDS },
  ...Object.entries(OWN_PROVIDER_FIELDS).map(([type, fields]) => ({
    title: `\`oauth.providers[]\` of type \`${type}\``,
    fields,
  })),
  {
    title: '`control`',
    note: "Its `bind_address` may be the gateway's, as that of `oauth`.",
    fields: CONTROL_FIELDS,
  },
  { title: '`control.operators[]`', fields: OPERATOR_FIELDS },
  {
    title: '`tunnel`',
    note: "Its `bind_address` may be the gateway's: `public_url` then has the scheme and port of `gateway.public_url`. Any other is for agents alone.",
    fields: TUNNEL_FIELDS,
  },
  {
    title: '`forward_auth`',
    note: 'For shares [behind a proxy of your own](../how-to/forward-auth.md).',
    fields: FORWARD_AUTH_FIELDS,
  },
  {
    title: '`pki`',
    note: 'Always plain HTTP, whatever `tls` says. It serves `/pki/<account>/crl.der`, `crl.pem` and `<authority>.crl`.',
    fields: PKI_FIELDS,
  },
  { title: '`store`', fields: STORE_FIELDS },
  { title: '`metrics`', fields: METRICS_FIELDS },
  { title: '`tracing`', fields: TRACING_FIELDS },
  { title: '`brand`', fields: BRAND_FIELDS },
  {
    title: '`limits`',
    note: 'Of each account. Whoever reaches one is answered `limit_reached`, with what there is and what to do. What is there already stays when a limit is lowered.',
    fields: LIMIT_FIELDS,
  },
  { title: '`log`', fields: LOG_FIELDS },
];

const AGENT_SECTIONS: readonly FieldSection[] = [
  { title: 'The file of an agent', fields: AGENT_FIELDS },
  { title: '`shares[]`', fields: AGENT_SHARE_FIELDS },
  ...Object.entries(AGENT_SECTION_FIELDS).map(([key, fields]) => ({ title: `\`shares[].${key}\``, fields })),
];

export function configurationDocument(): string {
  const [example, agentExample] = ['doorward.yaml', 'agent.yaml'].map((name) =>
    readFileSync(join(import.meta.dirname, '../../examples', name), 'utf8'),
  );
  return `# Configuration

<!-- Written by scripts/reference-docs.ts: do not edit. -->

One file, \`doorward.yaml\`. \`doorward init\` writes one with fresh keys; \`doorward config check\` tells all that is wrong with
one at once, each fault with its line and column, what was found there and what is wanted. A key that is not named below is
a fault, too.

- **Durations**: \`90s\`, \`15m\`, \`6h\`, \`1h30m\`, \`30d\`; the largest unit first, more than nothing in all.
- **Paths** are relative to the file's folder.
- **Secrets** may be given as they are, or as \`<key>_file\`: a file with the secret alone, whose last line break does not count.
- **Public addresses** are \`https:\`, or \`http:\` on localhost names; \`allow_plain_http\` lifts that.

SIGHUP reads the file again. A faulty file changes nothing, and the log says why. These settings change with the next start
only; the log names them when they differ: ${RESTART_SETTINGS.map((path) => `\`${path}\``).join(', ')}.

${SECTIONS.map(fieldSection).join('\n')}
## Example

Every key once ([examples/doorward.yaml](../../examples/doorward.yaml)):

\`\`\`yaml
${example}\`\`\`

## agent.yaml

What [\`doorward agent --config agent.yaml\`](../how-to/agent-as-a-service.md) keeps up, on the machine where the backends are. Faults are told as those of
\`doorward.yaml\`, before anything is served and with \`--check\`; SIGHUP reads the file again.

${AGENT_SECTIONS.map(fieldSection).join('\n')}
Every key once ([examples/agent.yaml](../../examples/agent.yaml)):

\`\`\`yaml
${agentExample}\`\`\`
`;
}
