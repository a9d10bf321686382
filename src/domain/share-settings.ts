// The settings of a share: their names, flags, defaults, limits and words. What the API takes and shows, the
// options of the command line, `agent.yaml`, the columns of the database and the console's forms are made of
// this one record.
//
// A new setting is an entry here, a column (`store/migrations/`), and whatever the gateway does with it:
// `Share` has it already.

import { IDENTITY_PARTS } from './identity-part.ts';
import { MAX_RULE_VALUES } from './access-rule.ts';
import { MAX_LOGIN_PROVIDERS } from './named-providers.ts';
import type { Setting } from './share-setting.ts';

/** Contract 2.3: the default of `--oauth-check-interval`. */
export const DEFAULT_CHECK_INTERVAL = '3h';

/**
 * In the order in which they are shown. By their names in the API; files and columns write them in snake
 * case.
 */
export const SHARE_SETTINGS = {
  oauthProvider: {
    kind: 'names',
    unset: null,
    syntax: 'provider',
    most: MAX_LOGIN_PROVIDERS,
    description:
      'The provider that visitors log in with, or a list of several to choose from. Null for no login, which also removes the patterns and the interval.',
    example: 'google',
    flags: {
      '--oauth-provider <name>': {
        help: 'require a login with this provider; repeatable, visitors choose one',
        hint: 'Name the provider that people log in with: --oauth-provider NAME.',
      },
      '--no-oauth': {
        says: null,
        on: 'change',
        help: 'remove the login, its patterns and its interval; if nothing else protects the share, add --open',
      },
    },
    file: {
      type: 'name of a provider, or list of names',
      unsaid: 'a new one needs it, a `client_certificate`, or `open: true`',
      meaning: 'Visitors must log in with it; of several, they choose one.',
    },
    form: {
      section: 'Who gets in',
      label: 'Log in with',
      help: 'The providers that visitors log in with: any one of them. None: no login.',
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
    inRules: 'emails',
    description: 'Email globs. One of them must match the whole address. Empty: any address.',
    example: ['*@example.com'],
    flags: {
      '--oauth-email-address-pattern <glob>': {
        help: 'only addresses that match, such as *@example.com; repeatable, any one of them is enough',
      },
      '--no-oauth-email-address-patterns': {
        says: [],
        on: 'change',
        help: 'remove the patterns: let in any address of the provider',
      },
    },
    file: {
      type: 'list of globs',
      unsaid: 'any address for a new share',
      meaning: 'The allowed email addresses: `*@example.com`. One match is sufficient.',
    },
    form: {
      section: 'Who gets in',
      label: 'Allowed addresses',
      help: 'Patterns such as *@example.com, one per line; any match is enough. None: everybody who can log in with the provider.',
      none: 'any that the provider knows',
    },
    line: { title: 'allowed', none: 'any address' },
  },
  oauthCheckInterval: {
    kind: 'duration',
    unset: null,
    default: DEFAULT_CHECK_INTERVAL,
    needs: ['oauthProvider'],
    orRules: true,
    description: `How often to check the login again. Null: the default, ${DEFAULT_CHECK_INTERVAL}.`,
    example: DEFAULT_CHECK_INTERVAL,
    flags: {
      '--oauth-check-interval <duration>': {
        help: `how often to check the login again (default: ${DEFAULT_CHECK_INTERVAL})`,
      },
    },
    file: {
      type: 'duration',
      unsaid: `\`${DEFAULT_CHECK_INTERVAL}\` for a new one`,
      meaning: 'How often to check the login again.',
    },
    form: {
      section: 'Who gets in',
      label: 'Checked again every',
      help: `How often to ask the provider whether the login is still valid, such as 30m or 12h. Empty: ${DEFAULT_CHECK_INTERVAL}.`,
    },
    line: { title: 'checked', before: 'every ' },
  },
  clientCertificate: {
    kind: 'section',
    unset: null,
    required: {
      description: 'True to require a certificate. False is the same as null.',
      meaning: 'With `false` no certificate is required, and globs are not allowed.',
    },
    description: 'Whether a client certificate of the account is required, and which. Null: none.',
    flags: {
      '--require-client-certificate': {
        says: { required: true },
        help: 'require a client certificate of the account',
        hint: 'Add --require-client-certificate.',
      },
      '--no-client-certificate': {
        says: null,
        on: 'change',
        help: 'stop requiring a client certificate; if nothing else protects the share, add --open',
      },
    },
    file: {
      type: 'section',
      unsaid: 'none for a new share',
      meaning: 'Whether visitors need a client certificate of the account, and which.',
    },
    form: {
      section: 'Who gets in',
      label: 'Client certificate',
      help: 'A certificate of this account, held by a person’s device or by a program.',
      none: 'not required',
      before: 'a client certificate',
    },
    line: { title: 'certificate', any: 'any of the account' },
    parts: {
      subject: {
        kind: 'text',
        unset: null,
        syntax: 'glob',
        description: 'A glob that the common name must match. Null: any name.',
        example: 'build-*.ci',
        flags: {
          '--certificate-subject <glob>': {
            help: 'only certificates whose common name matches, such as build-*.ci',
          },
          '--no-certificate-subject': {
            says: null,
            on: 'change',
            help: 'accept certificates with any common name',
          },
        },
        file: {
          type: 'glob',
          unsaid: 'any name for a new one',
          meaning: 'A glob that the common name of the certificate must match: `build-*.ci`.',
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
        description: 'A glob that the organizational unit must match. Null: any unit, or none.',
        example: 'CI',
        flags: {
          '--certificate-unit <glob>': { help: 'only certificates whose organizational unit matches' },
          '--no-certificate-unit': {
            says: null,
            on: 'change',
            help: 'accept certificates with any organizational unit, or none',
          },
        },
        file: {
          type: 'glob',
          unsaid: 'any unit, or none, for a new share',
          meaning: 'A glob that the organizational unit must match.',
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
  allowGroups: {
    kind: 'texts',
    unset: [],
    syntax: 'glob',
    most: MAX_RULE_VALUES,
    needs: ['oauthProvider'],
    inRules: 'groups',
    description: 'Globs over groups of the provider, any one of which a person who logs in must be in.',
    example: ['eng-*'],
    flags: {
      '--allow-group <glob>': {
        help: 'only people in a group that matches, such as eng-*; repeatable, any one of them is enough',
      },
      '--no-allow-groups': { says: [], on: 'change', help: 'let in people of any group, or none' },
    },
    file: {
      type: 'list of globs',
      unsaid: 'any group, or none, for a new share',
      meaning: 'Groups of the provider that the login lets in: `eng-*`. Any match is enough.',
    },
    form: {
      section: 'Who gets in',
      label: 'Allowed groups',
      help: 'Groups of the provider such as eng-*, one per line; any match is enough.',
      none: 'any, or none',
    },
    line: { title: 'groups' },
  },
  allowPaths: {
    kind: 'texts',
    unset: [],
    syntax: 'path',
    distinct: true,
    most: MAX_RULE_VALUES,
    description: 'Paths that are open to everyone: whole, or the start of one, ending in /*.',
    example: ['/healthz', '/hooks/*'],
    flags: {
      '--allow-path <path>': {
        help: 'open this path to everyone, such as /healthz or /hooks/*; repeatable',
      },
      '--no-allow-paths': { says: [], on: 'change', help: 'open no path to everyone' },
    },
    file: {
      type: 'list of paths',
      unsaid: 'none for a new share',
      meaning: 'Paths that are open to everyone: `/healthz`, `/hooks/*`.',
    },
    form: {
      section: 'Who gets in',
      label: 'Open paths',
      help: 'Paths that everyone may open, such as /healthz or /hooks/*, one per line.',
      none: 'none',
    },
    line: { title: 'open paths' },
  },
  allowAddresses: {
    kind: 'texts',
    unset: [],
    syntax: 'range',
    distinct: true,
    most: MAX_RULE_VALUES,
    description: 'Ranges of client addresses; whoever comes from elsewhere is refused. None: any address.',
    example: ['10.0.0.0/8'],
    flags: {
      '--allow-address <range>': {
        help: 'refuse whoever comes from elsewhere, such as 10.0.0.0/8; repeatable',
      },
      '--no-allow-addresses': { says: [], on: 'change', help: 'let in visitors from any network' },
    },
    file: {
      type: 'list of ranges',
      unsaid: 'any network for a new share',
      meaning: 'Networks that visitors must come from: `10.0.0.0/8`.',
    },
    form: {
      section: 'Who gets in',
      label: 'Allowed networks',
      help: 'Ranges such as 10.0.0.0/8, one per line; visitors from elsewhere are refused.',
      none: 'any',
    },
    line: { title: 'networks' },
  },
  denyEmails: {
    kind: 'texts',
    unset: [],
    syntax: 'emailGlob',
    distinct: true,
    most: MAX_RULE_VALUES,
    description: 'Email globs; people with an address that matches are refused, whatever else lets them in.',
    example: ['mallory@example.com'],
    flags: {
      '--deny-email <glob>': { help: 'refuse people with an address that matches; repeatable' },
      '--no-deny-emails': { says: [], on: 'change', help: 'refuse no address in particular' },
    },
    file: {
      type: 'list of globs',
      unsaid: 'none for a new share',
      meaning: 'Addresses that are refused, whatever else lets them in.',
    },
    form: {
      section: 'Who gets in',
      label: 'Denied addresses',
      help: 'Patterns such as mallory@example.com, one per line; a match is refused.',
      none: 'none',
    },
    line: { title: 'denied' },
  },
  rules: {
    kind: 'rules',
    unset: [],
    description:
      'Rules of who gets in, beside the settings above: each allows or denies. Any deny refuses; else any allow lets in.',
    flags: {
      '--rule-file <file>': {
        help: 'rules of who gets in, from a YAML or JSON file; replaces those there are',
      },
      '--no-rules': { says: [], on: 'change', help: 'remove all rules' },
    },
    file: {
      type: 'list of rules',
      unsaid: 'none for a new share',
      meaning: 'Rules of who gets in, each `allow: { … }` or `deny: { … }`.',
    },
    form: { section: 'Who gets in', label: 'Rules', none: 'none' },
    line: { title: 'rules' },
  },
  accessRequests: {
    kind: 'switch',
    unset: false,
    description:
      'Whether people who log in and are refused can request access. Default false, since whoever has an account at the provider can then write to you.',
    flags: {
      '--access-requests': { says: true, help: 'let people who log in and are refused request access' },
      '--no-access-requests': { says: false, on: 'change', help: 'take no requests for access' },
    },
    file: {
      type: 'boolean',
      unsaid: '`false` for a new one',
      meaning: 'Whether people who log in and are refused can request access.',
    },
    form: { section: 'Who gets in', label: 'People who are refused can request access' },
    line: { title: 'access requests' },
  },
  open: {
    kind: 'confirmation',
    unset: false,
    excludes: ['oauthProvider', 'clientCertificate'],
    unless: 'rules',
    shown:
      'Open to everyone: it has no login, no client certificate and no rules, or a rule that allows everyone without another condition.',
    description:
      'True confirms that the share is open to everyone. Required for a share without a login, a client certificate and rules, to remove the last of them, and for a rule that allows everyone without another condition.',
    flags: {
      '--open': {
        says: true,
        help: 'confirm that everyone may open it: without a login or a certificate, or by a rule without conditions',
      },
    },
    file: {
      type: 'boolean',
      meaning:
        'Confirms that a new share without `oauth_provider` and `client_certificate`, or with a rule that allows everyone without another condition, is open to everyone. A share that requires a login keeps it.',
    },
    form: { section: 'Who gets in', label: 'Everyone may open this share' },
  },
  access: {
    kind: 'choice',
    unset: 'all',
    choices: { all: 'both required', either: 'either is enough' },
    needs: ['oauthProvider', 'clientCertificate'],
    description:
      'With a login and a client certificate: `all` requires both, `either` requires one of them. Default `all`.',
    flags: {
      '--either': { says: 'either', help: 'a login or a certificate is enough; without it, both are needed' },
      '--no-either': { says: 'all', on: 'change', help: 'require both the login and the certificate' },
    },
    file: {
      type: '`all` or `either`',
      unsaid: '`all` for a new one',
      meaning:
        'With a login and a client certificate: `all` requires both, `either` requires one of them. `either` needs both settings.',
    },
    form: { section: 'Who gets in', label: 'Login and certificate' },
  },
  allowOrigins: {
    kind: 'texts',
    unset: [],
    syntax: 'origin',
    distinct: true,
    most: 50,
    description: 'Origins of other sites whose pages can use the visitor’s session here.',
    flags: {
      '--allow-origin <origin>': {
        help: 'another site whose pages may use the login here; repeatable',
      },
      '--no-allow-origins': { says: [], on: 'change', help: 'remove all allowed origins' },
    },
    file: {
      type: 'list of origins',
      unsaid: 'none for a new one',
      meaning: 'Other sites whose pages can use the visitor’s session here: `https://app.example.com`.',
    },
    form: {
      section: 'Allowed origins',
      label: 'Allowed origins',
      help: 'Sites whose pages may use a visitor’s login here, such as https://app.example.com, one per line.',
      none: 'none: pages of other sites cannot use a visitor’s login here',
    },
    line: { title: 'other sites' },
  },
  identity: {
    kind: 'texts',
    unset: [],
    syntax: 'identityPart',
    distinct: true,
    most: IDENTITY_PARTS.length,
    description:
      'What the app gets about a logged-in visitor in addition to the email address: `groups`, `name` and `subject` as headers and in the signed assertion, `claims` only in the assertion.',
    example: ['groups', 'name'],
    flags: {
      '--identity <part>': {
        help: 'tell the app more of who is logged in: groups, name, subject or claims; repeatable',
      },
      '--no-identity': { says: [], on: 'change', help: 'tell the app the address alone' },
    },
    file: {
      type: 'list of `groups`, `name`, `subject`, `claims`',
      unsaid: 'none for a new one',
      meaning: 'What the app gets about a logged-in visitor in addition to the email address.',
    },
    form: {
      section: 'Identity headers',
      label: 'Identity headers',
      help: 'What the app is told of who is logged in, beside the address: groups, name, subject or claims, one per line.',
      none: 'the address alone',
    },
    line: { title: 'identity' },
  },
  hostHeader: {
    kind: 'text',
    unset: null,
    syntax: 'hostHeader',
    description:
      'What the app gets as `Host`: `target` for the host and port of its own address, or a host in words. Null: the host that the visitor asked for.',
    example: 'target',
    flags: {
      '--host-header <host>': {
        help: 'the Host that the app gets: "target" for its own host and port, or a host such as localhost:5173',
      },
      '--no-host-header': {
        says: null,
        on: 'change',
        help: 'give the app the host that the visitor asked for',
      },
    },
    file: {
      type: '`target` or a host',
      unsaid: 'the host that the visitor asked for',
      meaning: 'What the app gets as `Host`, for apps that check it: `target` is its own host and port.',
    },
    form: {
      section: 'Host header',
      label: 'Host header',
      help: 'What the app gets as Host, for development servers that check it: target for its own host and port, or a host such as localhost:5173. Empty: the host that the visitor asked for.',
      none: 'the host that the visitor asked for',
    },
    line: { title: 'host header' },
  },
  owner: {
    kind: 'text',
    unset: null,
    syntax: 'address',
    forPeople: true,
    description:
      'The email address of who answers for the share, normally a member. It grants nothing. A new share has the address of the member who creates it. Null: nobody.',
    example: 'ann@example.com',
    flags: {
      '--owner <email>': { help: 'who answers for the share (default: the member who creates it)' },
      '--no-owner': { says: null, on: 'change', help: 'say nobody answers for the share' },
    },
    file: {
      type: 'email address',
      unsaid: 'the member whose key creates it',
      unsaidInState: 'nobody',
      meaning: 'Who answers for the share, normally a member. It grants nothing.',
    },
    form: {
      section: 'Owner',
      label: 'Owner',
      help: 'The address of who answers for this share, normally a member. It grants nothing.',
      none: 'nobody',
    },
    line: { title: 'owner' },
  },
  description: {
    kind: 'text',
    unset: null,
    syntax: 'line',
    forPeople: true,
    description: 'What the app is for, in one line, for visitors who look for it. Null: nothing is said.',
    example: 'Notes and decisions of the team',
    flags: {
      '--description <text>': { help: 'what the app is for, for visitors in My apps' },
      '--no-description': { says: null, on: 'change', help: 'remove the description' },
    },
    file: {
      type: 'text',
      unsaid: 'none for a new one',
      meaning: 'What the app is for, in one line, for visitors in My apps.',
    },
    form: {
      section: 'In My apps',
      label: 'Description',
      help: 'What the app is for, in one line of at most 120 characters.',
      none: 'none',
    },
    line: { title: 'description' },
  },
  icon: {
    kind: 'text',
    unset: null,
    syntax: 'appIcon',
    forPeople: true,
    description:
      'The icon in My apps: one or two letters, `building`, `code`, `globe`, `key`, `people`, `shield`, or a `data:` URL of an SVG, PNG, JPEG or WebP image of at most 4 KiB. Never an address. Null: the first letter of the name.',
    example: 'globe',
    flags: {
      '--icon <icon>': {
        help: 'the icon in My apps: one or two letters, building, code, globe, key, people, shield, or an image file of at most 4 KiB',
      },
      '--no-icon': { says: null, on: 'change', help: 'use the first letter of the name' },
    },
    file: {
      type: 'letters, sign or `data:` URL',
      unsaid: 'the first letter of the name',
      meaning:
        'The icon in My apps: one or two letters, `building`, `code`, `globe`, `key`, `people`, `shield`, or a `data:` URL of an image of at most 4 KiB.',
    },
    form: {
      section: 'In My apps',
      label: 'Icon',
      help: 'One or two letters, building, code, globe, key, people or shield; or an image of at most 4 KiB.',
      none: 'the first letter of the name',
    },
    line: { title: 'icon' },
  },
  listed: {
    kind: 'switch',
    unset: true,
    forPeople: true,
    description:
      'Whether My apps lists the share for visitors whom it would let in. Whoever has its address can open it all the same. Default true.',
    flags: {
      '--listed': { says: true, on: 'change', help: 'list the share in My apps' },
      '--unlisted': { says: false, help: 'leave the share out of My apps' },
    },
    file: {
      type: 'boolean',
      unsaid: '`true` for a new one',
      meaning: 'Whether My apps lists the share for visitors whom it would let in.',
    },
    form: { section: 'In My apps', label: 'Listed for visitors whom it lets in' },
    line: { title: 'in My apps' },
  },
  behind: {
    kind: 'switch',
    unset: false,
    description:
      'Whether the app stays behind a proxy of your own, which asks the gateway about each request. Such a share has no target. Default false.',
    flags: {
      '--behind': {
        says: true,
        help: 'for an app behind your own proxy, which asks the gateway about each request; without a target',
      },
      '--no-behind': {
        says: false,
        on: 'change',
        help: 'let the gateway reach the app itself; needs --target',
      },
    },
    form: { label: 'Behind my own proxy' },
  },
  enabled: {
    kind: 'switch',
    unset: true,
    description: 'Whether the share is enabled. A disabled share returns 404. Default true.',
    flags: {
      '--enabled': { says: true, on: 'change', help: 'let the share answer' },
      '--disabled': { says: false, on: 'change', help: 'let the share answer 404' },
    },
    form: { label: 'State' },
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SHARE_SETTINGS;
