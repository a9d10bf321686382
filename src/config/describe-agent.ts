// What every key of `agent.yaml` is (`doorward agent`): as `describe.ts` is for `doorward.yaml`.

import type { Setting } from '../domain/share-setting.ts';
import { SETTINGS, snakeCase } from '../domain/share-values.ts';
import type { Field, Fields } from './describe.ts';

export const AGENT_FIELDS = {
  url: {
    type: 'URL without path',
    absent: 'required',
    meaning: 'The URL of the control API: `control.public_url` in the configuration of the service.',
  },
  api_key: {
    type: 'text',
    absent: { means: 'none: the agent shows a client certificate' },
    secret: true,
    meaning:
      'An API key of the account. Scope `tunnel` is sufficient to serve existing shares. Required without a client certificate.',
  },
  client_certificate_file: {
    type: 'path',
    absent: { means: 'none, unless the agent is started with `--cert`, which overrides it' },
    meaning:
      'A client certificate of the account, PEM. With the role `tunnel` it replaces the API key. SIGHUP reads it again.',
  },
  client_key_file: {
    type: 'path',
    absent: { means: '`x.key.pem` beside `x.cert.pem`' },
    meaning: 'The private key of the client certificate, PEM.',
  },
  shares: {
    type: 'list',
    absent: 'required',
    meaning: 'The shares to serve: one or more, each with its own name.',
  },
  allow_plain_http: {
    type: 'boolean',
    absent: { default: false },
    meaning:
      'Allows `http:` for `url` and for the tunnels of gateways on hosts other than localhost. The API key is then sent unencrypted.',
  },
} as const satisfies Fields;

export const AGENT_SHARE_FIELDS = {
  name: {
    type: 'text of a-z, 0-9 and -, at most 40',
    absent: 'required',
    meaning: 'Unique. The agent creates the share, or uses the existing share with that name.',
  },
  target: {
    type: 'port, address or Unix socket',
    absent: 'required',
    meaning:
      'The backend to serve: `3000`, `http://localhost:3000`, `https://10.0.0.5:8443`, `unix:/run/app.sock`.',
  },
  insecure: {
    type: 'boolean',
    absent: { default: false },
    meaning: 'Accepts any certificate of an `https:` target.',
  },
  ...Object.fromEntries(
    SETTINGS.flatMap(([name, setting]) => {
      const field = fieldOf(setting);
      return field === null ? [] : [[snakeCase(name), field]];
    }),
  ),
} as const satisfies Fields;

/** Of each setting that is a section of its own. */
export const AGENT_SECTION_FIELDS: Readonly<Record<string, Fields>> = Object.fromEntries(
  SETTINGS.flatMap(([name, setting]) =>
    setting.kind === 'section' ? [[snakeCase(name), sectionFields(setting)]] : [],
  ),
);

export function sectionFields({ required, parts }: Extract<Setting, { readonly kind: 'section' }>): Fields {
  const fields = Object.entries(parts).flatMap(([name, part]) => {
    const field = fieldOf(part);
    return field === null ? [] : [[name, field] as const];
  });
  return {
    required: { type: 'boolean', absent: 'required', meaning: required.meaning },
    ...Object.fromEntries(fields),
  };
}

/** Null for what the file does not have. */
function fieldOf({ kind, file }: Pick<Setting, 'kind' | 'file'>): Field | null {
  if (file === undefined) return null;
  const { type, unsaid, meaning } = file;
  const absent =
    kind === 'confirmation' ? { default: false } : { means: `as the share is; ${unsaid ?? 'none'}` };
  return { type, absent, meaning };
}
