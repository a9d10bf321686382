// What every key of `agent.yaml` is (`doorward agent`): as `describe.ts` is for `doorward.yaml`.

import type { Fields } from './describe.ts';

export const AGENT_FIELDS = {
  url: {
    type: 'URL without path',
    absent: 'required',
    meaning: 'The control API of the service: `control.public_url` of its configuration.',
  },
  api_key: {
    type: 'text',
    absent: { means: 'none: the agent is started with `--cert`' },
    secret: true,
    meaning:
      'An API key of the account; one of scope `tunnel` is enough to serve shares as they are. Needed without a client certificate.',
  },
  shares: {
    type: 'list',
    absent: 'required',
    meaning: 'What to serve: one or more shares, each under a name of its own.',
  },
  allow_plain_http: {
    type: 'boolean',
    absent: { default: false },
    meaning:
      'Lets `url`, and where gateways take tunnels, be `http:` on names other than localhost. The API key then travels in the clear.',
  },
} as const satisfies Fields;

export const AGENT_SHARE_FIELDS = {
  name: {
    type: 'text of a-z, 0-9 and -, at most 40',
    absent: 'required',
    meaning: 'Unique. The share is made when there is none of that name, and taken up again when there is.',
  },
  target: {
    type: 'port, address or Unix socket',
    absent: 'required',
    meaning:
      'What is served: `3000`, `http://localhost:3000`, `https://10.0.0.5:8443`, `unix:/run/app.sock`.',
  },
  insecure: {
    type: 'boolean',
    absent: { default: false },
    meaning: 'Takes any certificate of an `https:` target.',
  },
  oauth_provider: {
    type: 'name of a provider',
    absent: { means: 'as the share is; a new one needs it, a `client_certificate`, or `open: true`' },
    meaning: 'Who comes in has to log in with it.',
  },
  oauth_email_address_patterns: {
    type: 'list of globs',
    absent: { means: 'as the share is; a new one takes any address' },
    meaning: 'Whom the login lets in: `*@example.com`. Any one of them is enough.',
  },
  oauth_check_interval: {
    type: 'duration',
    absent: { means: 'as the share is; `3h` for a new one' },
    meaning: 'How often the login is verified again.',
  },
  client_certificate: {
    type: 'section',
    absent: { means: 'as the share is; a new one asks for none' },
    meaning: 'Whether who comes in needs a client certificate of the account, and which.',
  },
  open: {
    type: 'boolean',
    absent: { default: false },
    meaning:
      'Confirms that a new share without `oauth_provider` and `client_certificate` is open to everyone. A share that asks for a login keeps it.',
  },
  access: {
    type: '`all` or `either`',
    absent: { means: 'as the share is; `all` for a new one' },
    meaning:
      'Where there is a login and a client certificate: `all` needs both, with `either` one is enough. `either` stands beside the two.',
  },
  allow_origins: {
    type: 'list of origins',
    absent: { means: 'as the share is; none for a new one' },
    meaning: 'Other sites whose pages may use the login here: `https://app.example.com`.',
  },
} as const satisfies Fields;

export const AGENT_CERTIFICATE_FIELDS = {
  required: {
    type: 'boolean',
    absent: 'required',
    meaning: 'With `false` no certificate is asked for, and there are no globs.',
  },
  subject: {
    type: 'glob',
    absent: { means: 'as the share is; any name for a new one' },
    meaning: 'What the common name of the certificate has to match: `build-*.ci`.',
  },
  unit: {
    type: 'glob',
    absent: { means: 'as the share is; any, or none, for a new one' },
    meaning: 'What its organizational unit has to match.',
  },
} as const satisfies Fields;
