// What can be set of a provider, field by field: how each is spelled in doorward.yaml, in the API and on the
// command line, and what people read of it. Which type has which of them: `provider-kinds.ts`. What a value
// must look like is judged by its form.

import { PROVIDER_ICONS } from './provider-icon.ts';

/** The fields with their values, settled: an address or text that the type has none of is null. */
export type ProviderValues = {
  readonly issuerUrl: string | null;
  readonly scopes: readonly string[];
  readonly supportsPkce: boolean;
  /** Empty: nothing is ever asked for, not even consent where it is needed for a refresh token. */
  readonly prompt: string | null;
  readonly requireVerifiedEmail: boolean;
  // Those that follow, down to the icon, are absent in what was stored before there were any.
  readonly rpInitiatedLogout?: boolean;
  readonly discoveryUrl?: string | null;
  readonly emailClaim?: string | null;
  /** PEM. */
  readonly trustedAuthorities?: string | null;
  readonly loginParameters?: Readonly<Record<string, string>>;
  /** Null: nobody's groups are read, unless the type has a way of its own. */
  readonly groupsClaim?: string | null;
  /** Whether groups are asked for, where that takes more than reading a claim. */
  readonly groups?: boolean;
  /** What is kept of a person beside groups. */
  readonly claims?: readonly string[];
  /** Classes of authentication, any one of which each login must show; none: any. */
  readonly acrValues?: readonly string[];
  /** How long ago at most people proved to the provider who they are: a duration. */
  readonly maxAge?: string | null;
  /** How people see it where they choose among several; null is its name in addresses. */
  readonly displayName?: string | null;
  /** As `ProviderAppearance`. */
  readonly icon?: string | null;
  readonly baseUrl: string | null;
  readonly apiUrl: string | null;
  /** Globs, any one of which an address must match at every share that uses it; none means any address. */
  readonly emailPatterns: readonly string[];
};

/** As the API spells it. */
export type FieldName = keyof ProviderValues;

/** As they are given: what is left out is settled by the type. */
export type GivenValues = {
  readonly [Field in FieldName]?: Exclude<ProviderValues[Field], null | undefined> | undefined;
};

/**
 * How a value is written and judged. Every reader, schema and form of fields has one way for each of these.
 */
export type FieldForm =
  /** An address without query. */
  | 'address'
  /** An address that may have a query. */
  | 'document address'
  /** An address that others are made below, so it ends in no slash. */
  | 'base address'
  | 'scopes'
  | 'switch'
  | 'prompt'
  | 'claim'
  | 'claims'
  | 'acr values'
  | 'duration'
  | 'display name'
  /** A name of one, or a `data:` URL; where files are named, a path in its place. */
  | 'icon'
  /** PEM; a path in doorward.yaml. */
  | 'authorities'
  | 'parameters'
  | 'patterns';

export type ProviderField = {
  readonly form: FieldForm;
  /** In doorward.yaml; null for a field of definitions alone. */
  readonly file: string | null;
  /** On the command line. */
  readonly flags: string;
  /** What it is, in a line of help. */
  readonly about: string;
  /** What it is, in the API's description. The types that have it are named before it. */
  readonly description: string;
  readonly example?: unknown;
  /** In the console. */
  readonly label: string;
  readonly help?: string;
  /** A switch that is shown only while it is on. */
  readonly quiet?: true;
  /**
   * What is another with another value. Sessions end with another server and with other people; the
   * credential is not sent to another server, nor to one that others certify.
   */
  readonly names?: 'server' | 'people' | 'certifier';
};

export const PROVIDER_FIELDS: Readonly<Record<FieldName, ProviderField>> = {
  issuerUrl: {
    form: 'address',
    file: 'issuer',
    flags: '--issuer-url <url>',
    about: 'the issuer',
    description: 'The issuer, exactly as its metadata name it.',
    example: 'https://id.example.com',
    label: 'Issuer',
    help: 'Exactly as the provider names itself: https://id.example.com',
    names: 'server',
  },
  scopes: {
    form: 'scopes',
    file: 'scopes',
    flags: '--scope <scope>',
    about: 'a scope to ask for; repeatable, replaces them all',
    description: 'The scopes to request. They must include those for the email address.',
    example: ['openid', 'email', 'profile'],
    label: 'Scopes',
    help: 'Separated by spaces; must include openid and email.',
  },
  supportsPkce: {
    form: 'switch',
    file: 'supports_pkce',
    flags: '--supports-pkce',
    about: 'the provider supports PKCE',
    description: 'Whether to use PKCE (S256). Default true.',
    label: 'PKCE',
    help: 'Protects the code in transit. Turn it off only if the provider rejects it.',
  },
  prompt: {
    form: 'prompt',
    file: 'prompt',
    flags: '--prompt <prompt>',
    about: 'what to ask the provider for at each login',
    description:
      'What to ask the provider for at each login: `login`, `consent`, `select_account`, or several. Empty: nothing. Absent: consent once, if a share needs a refresh token and the provider sent none.',
    example: 'select_account',
    label: 'Prompt',
    help: 'What the provider asks for at each login: login, consent or select_account.',
  },
  requireVerifiedEmail: {
    form: 'switch',
    file: 'require_verified_email',
    flags: '--require-verified-email',
    about: 'allow only verified email addresses',
    description:
      'Refuses email addresses that the provider does not report as verified. The other types always do.',
    label: 'Verified addresses only',
    help: 'Refuse email addresses that the provider does not report as verified.',
  },
  rpInitiatedLogout: {
    form: 'switch',
    file: 'rp_initiated_logout',
    flags: '--rp-initiated-logout',
    about: 'a logout continues at the provider',
    description: 'A logout continues at the provider.',
    label: 'Also log out at the provider',
    help: 'A logout here continues to the provider’s own logout.',
    quiet: true,
  },
  discoveryUrl: {
    form: 'document address',
    file: 'discovery_url',
    flags: '--discovery-url <url>',
    about: 'the URL of its metadata, if not below the issuer',
    description:
      'The URL of the metadata, if not below the issuer. The metadata must still name that issuer.',
    example: 'https://id.example.com/tenant/.well-known/openid-configuration',
    label: 'Metadata',
    help: 'URL of the metadata, if not below the issuer. They must still name that issuer.',
    names: 'server',
  },
  emailClaim: {
    form: 'claim',
    file: 'email_claim',
    flags: '--email-claim <claim>',
    about: 'the claim that contains the email address',
    description:
      'The claim that contains the email address. Default `email`. `email_verified` applies only to `email`.',
    example: 'upn',
    label: 'Email claim',
    help: 'The claim that contains the address, such as upn; empty for email. A provider verifies only addresses in email.',
    names: 'people',
  },
  trustedAuthorities: {
    form: 'authorities',
    file: 'ca_file',
    flags: '--trusted-authorities-file <file>',
    about: 'CA certificates (PEM), trusted instead of the public CAs',
    description:
      'CA certificates (PEM) that must have issued the provider’s server certificates, instead of the public CAs.',
    label: 'CA certificates',
    help: 'PEM. CA certificates that must have signed the provider’s server certificates, instead of the public CAs.',
    names: 'certifier',
  },
  loginParameters: {
    form: 'parameters',
    file: 'login_parameters',
    flags: '--login-parameter <name=value>',
    about: 'an extra parameter of the login request; repeatable, replaces them all',
    description:
      'Additional parameters of the login request, at most 16. Parameters that the service sends itself are not allowed, such as `state`, `nonce`, `scope` and `redirect_uri`.',
    example: { domain_hint: 'example.com' },
    label: 'Login parameters',
    help: 'Sent with each login request, one name=value per line: login_hint, domain_hint, acr_values.',
  },
  groupsClaim: {
    form: 'claim',
    file: 'groups_claim',
    flags: '--groups-claim <claim>',
    about: 'the claim that names the groups of a person, such as groups or realm_access.roles',
    description:
      'The claim that names a person’s groups: a string or a list of strings. A dotted path selects a field of an object, if no claim has that whole name.',
    example: 'groups',
    label: 'Groups claim',
    help: 'The claim that names a person’s groups, such as groups or realm_access.roles. Empty: groups are not read.',
    names: 'people',
  },
  groups: {
    form: 'switch',
    file: 'groups',
    flags: '--groups',
    about: 'read organizations and teams as groups',
    description:
      'Reads a person’s organizations and teams as groups, `org` and `org/team-slug`. Requests the scope `read:org`.',
    label: 'Organizations and teams',
    help: 'Read them as groups, such as acme and acme/platform. People are asked to allow it once.',
    quiet: true,
    names: 'people',
  },
  claims: {
    form: 'claims',
    file: 'claims',
    flags: '--claim <claim>',
    about: 'a claim to keep of each person; repeatable, replaces them all',
    description:
      'Claims to store for each person, for rules and for apps: names, or dotted paths as in `groupsClaim`.',
    example: ['department'],
    label: 'Claims',
    help: 'Claims to keep of each person, such as department, one per line. Rules can ask for them, and apps can be told.',
    names: 'people',
  },
  acrValues: {
    form: 'acr values',
    file: 'acr_values',
    flags: '--acr-value <class>',
    about: 'a class of authentication (acr) that logins must show; repeatable, any one is enough',
    description:
      'Classes of authentication (`acr`), asked for at each login as `acr_values`. A login that does not show one of them is refused.',
    example: ['phr'],
    label: 'Authentication classes',
    help: 'Classes (acr) that logins must show, one per line; any one is enough. Empty: any login.',
    names: 'people',
  },
  maxAge: {
    form: 'duration',
    file: 'max_age',
    flags: '--max-age <duration>',
    about: 'how long ago at most people proved to the provider who they are',
    description:
      'How long ago at most people proved to the provider who they are, asked for at each login as `max_age`. A login that shows an older time, or none, is refused.',
    example: '12h',
    label: 'Logged in at the provider within',
    help: 'Such as 12h: who proved who they are longer ago has to do so again. Empty: however long ago.',
    names: 'people',
  },
  displayName: {
    form: 'display name',
    file: 'display_name',
    flags: '--display-name <text>',
    about: 'what people see where they choose among several providers',
    description: 'What people see where they choose among several providers. Default: the name.',
    example: 'Partner login',
    label: 'Display name',
    help: 'What people see where they choose among several providers. Empty: the name.',
  },
  icon: {
    form: 'icon',
    file: 'icon',
    flags: '--icon <name|file>',
    about: `its icon beside the display name: ${PROVIDER_ICONS.join(', ')}, or an image file`,
    description: `The icon beside the display name: ${PROVIDER_ICONS.map((name) => `\`${name}\``).join(', ')}, or an SVG, PNG, JPEG or WebP image as a base64 \`data:\` URL. Default: the first letter of the name.`,
    example: 'building',
    label: 'Icon',
    help: `One of ${PROVIDER_ICONS.join(', ')}, or a small image as a data: URL. Empty: the first letter.`,
  },
  baseUrl: {
    form: 'base address',
    file: 'base_url',
    flags: '--base-url <url>',
    about: 'an Enterprise Server',
    description: 'An Enterprise Server.',
    label: 'Server',
    help: 'An Enterprise Server: https://github.example.com; empty for github.com',
    names: 'server',
  },
  apiUrl: {
    form: 'base address',
    file: 'api_url',
    flags: '--api-url <url>',
    about: 'its API',
    description: 'Its API.',
    label: 'API',
    help: 'Empty: /api/v3 of the server.',
    names: 'server',
  },
  emailPatterns: {
    form: 'patterns',
    file: null,
    flags: '--email-pattern <glob>',
    about: 'a glob for the allowed email addresses; repeatable, replaces them all',
    description: 'Email globs that also apply to every share that uses the definition.',
    example: ['*@partner.example'],
    label: 'Allowed addresses',
    help: 'Patterns such as *@partner.example, one per line. They apply to every share that uses the provider; none means any address that the share allows.',
  },
};

export const FIELD_NAMES = Object.keys(PROVIDER_FIELDS) as readonly FieldName[];
