// The settings of a share: their names, flags, defaults, limits and words. What the API takes and shows, the
// options of the command line, `agent.yaml`, the columns of the database and the console's forms are made of
// this one record.
//
// A new setting is an entry here, a column (`store/migrations/`), and whatever the gateway does with it:
// `Share` has it already.

import type { Setting } from './share-setting.ts';

/** Contract 2.3: the default of `--oauth-check-interval`. */
export const DEFAULT_CHECK_INTERVAL = '3h';

/**
 * In the order in which they are shown. By their names in the API; files and columns write them in snake
 * case.
 */
export const SHARE_SETTINGS = {
  oauthProvider: {
    kind: 'text',
    unset: null,
    syntax: 'provider',
    description:
      'A configured provider; null for no login. Null takes the patterns and the interval away with it.',
    example: 'google',
    flags: {
      '--oauth-provider <name>': {
        help: 'let people in who log in with this configured provider',
        hint: 'Name the provider that people log in with: --oauth-provider NAME.',
      },
      '--no-oauth': {
        says: null,
        on: 'change',
        help: 'remove the login, with its patterns and its interval; if nothing else protects the share, add --open',
      },
    },
    file: {
      type: 'name of a provider',
      unsaid: 'a new one needs it, a `client_certificate`, or `open: true`',
      meaning: 'Who comes in has to log in with it.',
    },
    form: {
      section: 'Who gets in',
      label: 'Log in with',
      help: 'Where people prove who they are.',
      none: 'no login',
    },
  },
  oauthEmailAddressPatterns: {
    kind: 'texts',
    unset: [],
    syntax: 'emailGlob',
    // What one share can sensibly hold: each is tried on every login, the list is sent to every gateway.
    most: 100,
    needs: ['oauthProvider'],
    description: 'Email globs, any one of which must match the whole address; none: any address.',
    example: ['*@example.com'],
    flags: {
      '--oauth-email-address-pattern <glob>': {
        help: 'only addresses that match, such as *@example.com; repeatable, any one of them is enough',
      },
      '--no-oauth-email-address-patterns': {
        says: [],
        on: 'change',
        help: 'remove the patterns: any address of the provider may come in',
      },
    },
    file: {
      type: 'list of globs',
      unsaid: 'a new one takes any address',
      meaning: 'Whom the login lets in: `*@example.com`. Any one of them is enough.',
    },
    form: {
      section: 'Who gets in',
      label: 'Allowed addresses',
      help: 'Patterns such as *@example.com, one a line; any one of them is enough. None: everybody whom the provider knows.',
      none: 'any that the provider knows',
    },
    line: { title: 'allowed', none: 'any address' },
  },
  oauthCheckInterval: {
    kind: 'duration',
    unset: null,
    default: DEFAULT_CHECK_INTERVAL,
    needs: ['oauthProvider'],
    description: `How often the login is verified again; null for the default, ${DEFAULT_CHECK_INTERVAL}.`,
    example: DEFAULT_CHECK_INTERVAL,
    flags: {
      '--oauth-check-interval <duration>': {
        help: `how often the login is verified again (default: ${DEFAULT_CHECK_INTERVAL})`,
      },
    },
    file: {
      type: 'duration',
      unsaid: `\`${DEFAULT_CHECK_INTERVAL}\` for a new one`,
      meaning: 'How often the login is verified again.',
    },
    form: {
      section: 'Who gets in',
      label: 'Checked again every',
      help: `How often the provider is asked whether the login still holds, such as 30m or 12h. Empty: ${DEFAULT_CHECK_INTERVAL}.`,
    },
    line: { title: 'checked', before: 'every ' },
  },
  clientCertificate: {
    kind: 'section',
    unset: null,
    required: {
      description: 'True to ask for one. False is null.',
      meaning: 'With `false` no certificate is asked for, and there are no globs.',
    },
    description: 'Whether a client certificate of the account is needed, and which; null: none is asked for.',
    flags: {
      '--require-client-certificate': {
        says: { required: true },
        help: 'let in who holds a client certificate of the account',
        hint: 'Ask for certificates: --require-client-certificate.',
      },
      '--no-client-certificate': {
        says: null,
        on: 'change',
        help: 'ask for no client certificate any more; if nothing else protects the share, add --open',
      },
    },
    file: {
      type: 'section',
      unsaid: 'a new one asks for none',
      meaning: 'Whether who comes in needs a client certificate of the account, and which.',
    },
    form: {
      section: 'Who gets in',
      label: 'Client certificate',
      help: 'One of this account’s own, held by a person’s device or by a program.',
      none: 'none is asked for',
      before: 'a client certificate',
    },
    line: { title: 'certificate', any: 'any of the account' },
    parts: {
      subject: {
        kind: 'text',
        unset: null,
        syntax: 'glob',
        description: 'A glob that the common name must match; null: any name.',
        example: 'build-*.ci',
        flags: {
          '--certificate-subject <glob>': {
            help: 'only certificates whose common name matches, such as build-*.ci',
          },
          '--no-certificate-subject': {
            says: null,
            on: 'change',
            help: 'take certificates of any name',
          },
        },
        file: {
          type: 'glob',
          unsaid: 'any name for a new one',
          meaning: 'What the common name of the certificate has to match: `build-*.ci`.',
        },
        form: {
          label: 'Common name',
          before: 'named ',
          help: 'A pattern that it must match, such as build-*.ci. Empty: any name.',
        },
        line: { before: 'named ' },
      },
      unit: {
        kind: 'text',
        unset: null,
        syntax: 'glob',
        description: 'A glob that the organizational unit must match; null: any, or none.',
        example: 'CI',
        flags: {
          '--certificate-unit <glob>': { help: 'only certificates whose organizational unit matches' },
          '--no-certificate-unit': {
            says: null,
            on: 'change',
            help: 'take certificates of any unit, or of none',
          },
        },
        file: {
          type: 'glob',
          unsaid: 'any, or none, for a new one',
          meaning: 'What its organizational unit has to match.',
        },
        form: {
          label: 'Organizational unit',
          before: 'of the unit ',
          help: 'A pattern that it must match. Empty: any unit, or none.',
        },
        line: { before: 'of unit ' },
      },
    },
  },
  open: {
    kind: 'confirmation',
    unset: false,
    excludes: ['oauthProvider', 'clientCertificate'],
    shown: 'Open to everyone: it asks for neither a login nor a client certificate.',
    description:
      'True confirms that the share is open to everyone. Needed for a share without a login and without a client certificate, and to take the last of them away.',
    flags: {
      '--open': {
        says: true,
        help: 'confirm that everyone may open it, without a login or a certificate',
      },
    },
    file: {
      type: 'boolean',
      meaning:
        'Confirms that a new share without `oauth_provider` and `client_certificate` is open to everyone. A share that asks for a login keeps it.',
    },
    form: { section: 'Who gets in', label: 'Everyone may open this share' },
  },
  access: {
    kind: 'choice',
    unset: 'all',
    choices: { all: 'both are needed', either: 'either is enough' },
    needs: ['oauthProvider', 'clientCertificate'],
    description:
      'Where there is a login and a client certificate: `all` needs both, with `either` one is enough. `all` unless said.',
    flags: {
      '--either': { says: 'either', help: 'a login or a certificate is enough; without it, both are needed' },
      '--no-either': { says: 'all', on: 'change', help: 'need both the login and the certificate' },
    },
    file: {
      type: '`all` or `either`',
      unsaid: '`all` for a new one',
      meaning:
        'Where there is a login and a client certificate: `all` needs both, with `either` one is enough. `either` stands beside the two.',
    },
    form: { section: 'Who gets in', label: 'Login and certificate' },
  },
  allowOrigins: {
    kind: 'texts',
    unset: [],
    syntax: 'origin',
    distinct: true,
    most: 50,
    description: 'Origins of other sites whose pages may use the visitor’s session here.',
    flags: {
      '--allow-origin <origin>': {
        help: 'another site whose pages may use the login here; repeatable',
      },
      '--no-allow-origins': { says: [], on: 'change', help: 'remove the other sites' },
    },
    file: {
      type: 'list of origins',
      unsaid: 'none for a new one',
      meaning: 'Other sites whose pages may use the login here: `https://app.example.com`.',
    },
    form: {
      section: 'Other sites that may use it',
      label: 'Allowed origins',
      help: 'Sites whose pages may use a visitor’s login here, such as https://app.example.com, one a line.',
      none: 'none: pages of other sites cannot use a visitor’s login here',
    },
    line: { title: 'other sites' },
  },
  enabled: {
    kind: 'switch',
    unset: true,
    description: 'A disabled share answers 404. True unless said.',
    flags: {
      '--enabled': { says: true, on: 'change', help: 'let the share answer' },
      '--disabled': { says: false, on: 'change', help: 'let the share answer 404' },
    },
    form: { label: 'State' },
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SHARE_SETTINGS;
