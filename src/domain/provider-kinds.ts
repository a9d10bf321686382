// The types of providers: one record each, from which the configuration's reader and reference, the API's
// schemas, views and checks, the command line's options, the console's form and guide, and the examination
// derive. What runs at each type's logins is chosen by `providers/create.ts`.

import { PROVIDER_FIELDS, type FieldName, type GivenValues, type ProviderValues } from './provider-fields.ts';
import { PROVIDER_ICONS } from './provider-icon.ts';
import type { OwnField, ProviderKind } from './provider-kind.ts';

const GITHUB_URL = 'https://github.com';
const ISSUER_TEXT =
  "`https:`, or `http:` on this machine; exactly as the provider's metadata has it, trailing slash included.";
const PROMPT_TEXT =
  'What to ask the provider for at each login: `login`, `consent`, `select_account`, or several. `""`: nothing, not even consent.';

/** What every type has that speaks OpenID Connect. */
const CLAIMS_FIELD = {
  absent: [],
  without: 'none',
  meaning:
    'Up to 20 claims to keep of each person, for rules and for apps: names, or dotted paths as in `groups_claim`. A claim counts with a text, a number, a boolean, or up to 100 texts, of 256 characters each.',
  asked: 'later',
} as const;

/** What every type has. */
export const COMMON_FIELDS = {
  displayName: {
    absent: null,
    without: '`name`, or `Google` and `GitHub` for providers of that name',
    meaning: 'What people see where they choose among several providers: at most 60 characters.',
    asked: 'later',
  },
  icon: {
    absent: null,
    without: 'the first letter of the display name',
    meaning: `The icon beside it: ${PROVIDER_ICONS.map((name) => `\`${name}\``).join(', ')}, or the path of an SVG, PNG, JPEG or WebP image of at most 16 KiB.`,
    asked: 'later',
  },
  loginParameters: {
    absent: {},
    without: 'none',
    meaning:
      'Up to 16 additional parameters of the login request: `login_hint`, `domain_hint`, `acr_values`. Parameters that Doorward sends itself are not allowed, such as `state`, `nonce`, `scope` and `redirect_uri`.',
    asked: 'later',
  },
  trustedAuthorities: {
    absent: null,
    without: 'the public CAs',
    meaning:
      'CA certificates (PEM, at most 64 KiB) that must have issued this provider’s server certificates, instead of the public CAs.',
    asked: 'later',
  },
  emailPatterns: { absent: [], meaning: '', asked: 'first' },
} as const satisfies ProviderKind['fields'];

export const PROVIDER_KINDS = {
  google: {
    spelling: 'GOOGLE',
    title: 'Google',
    about: 'Google accounts: of your organization, or of anyone.',
    suggestedName: 'google',
    isGeneric: false,
    neededScopes: ['openid', 'email'],
    fields: {
      scopes: {
        absent: ['openid', 'email', 'profile'],
        meaning: 'Must include `openid` and `email`.',
      },
      issuerUrl: { absent: 'https://accounts.google.com', meaning: ISSUER_TEXT },
      prompt: {
        absent: null,
        without: 'nothing; consent once, if a share needs a refresh token and Google sent none',
        meaning: PROMPT_TEXT,
        asked: 'later',
      },
      ...COMMON_FIELDS,
      claims: CLAIMS_FIELD,
    },
    always: { supportsPkce: true, requireVerifiedEmail: true },
    takesPrivateKey: false,
    hasLogout: false,
    refresh: 'always',
    asksConsent: true,
    register: [
      'Open [Credentials](https://console.cloud.google.com/apis/credentials) in the Google Cloud console, and choose a project.',
      'If it asks for a consent screen first: [Audience](https://console.cloud.google.com/auth/audience). **Internal** allows only accounts of your organization, **External** all accounts.',
      'Choose **Create credentials**, **OAuth client ID**, and the type **Web application**.',
      'Under **Authorized redirect URIs** add {redirectUrl}',
      'Scopes: nothing to add. Doorward asks for `openid`, `email` and `profile`, which Google does not need to review.',
      'Choose **Create**, and copy the client ID and the client secret.',
    ],
  },
  github: {
    spelling: 'GITHUB',
    title: 'GitHub',
    about: 'GitHub accounts, by their verified primary address. Also Enterprise Server.',
    suggestedName: 'github',
    isGeneric: false,
    neededScopes: ['user:email'],
    fields: {
      scopes: { absent: ['user:email', 'read:user'], meaning: 'Must include `user:email`.' },
      prompt: {
        absent: null,
        without: 'nothing',
        meaning: 'What to ask GitHub for at each login: `select_account`.',
        asked: 'later',
        help: 'select_account asks people at each login which account to use.',
      },
      ...COMMON_FIELDS,
      baseUrl: {
        absent: GITHUB_URL,
        meaning: 'The URL of a GitHub Enterprise Server, where people log in.',
        asked: 'later',
      },
      apiUrl: {
        absent: ({ baseUrl = GITHUB_URL }) => apiUrlOf(baseUrl),
        without: '`https://api.github.com`; below another `base_url`, `/api/v3`',
        meaning: 'Its API.',
        asked: 'later',
      },
      groups: {
        absent: false,
        meaning:
          'Reads a person’s organizations and teams as groups: `org` and `org/team-slug`. Doorward then asks for the scope `read:org` too.',
        asked: 'later',
      },
    },
    always: { supportsPkce: true, requireVerifiedEmail: true },
    takesPrivateKey: false,
    hasLogout: false,
    refresh: 'none',
    asksConsent: false,
    register: [
      'Open [New OAuth app](https://github.com/settings/applications/new) on GitHub. For an app of your organization: its settings, **Developer settings**, **OAuth apps**.',
      'As **Homepage URL** enter any page of yours that people know.',
      'As **Authorization callback URL** give {redirectUrl}',
      'Scopes: nothing to choose. Doorward asks for `read:user` and `user:email`, and for `read:org` if organizations and teams are read.',
      'Choose **Register application**, then **Generate a new client secret**, and copy the client ID and the client secret.',
    ],
  },
  oidc: {
    spelling: 'OIDC',
    title: 'OpenID Connect',
    about: 'Any other provider: Keycloak, Microsoft Entra ID, Okta, Auth0, Authentik, or your own.',
    suggestedName: 'sso',
    isGeneric: true,
    neededScopes: ['openid', 'email'],
    fields: {
      issuerUrl: { required: 'everywhere', meaning: `The provider: ${ISSUER_TEXT}`, asked: 'first' },
      requireVerifiedEmail: {
        absent: false,
        meaning:
          'Refuses email addresses that the provider does not report as verified. An address that it reports as unverified is always refused.',
        asked: 'first',
        suggested: true,
      },
      discoveryUrl: {
        absent: null,
        without: '`/.well-known/openid-configuration` below the issuer',
        meaning: "The URL of the provider's metadata. They must still name the `issuer`.",
        asked: 'later',
      },
      emailClaim: {
        absent: null,
        without: '`email`',
        meaning:
          'The claim that contains the email address, such as `upn`. `email_verified` applies only to `email`: with `require_verified_email`, an address in another claim is refused unless `email` has the same address, verified.',
        asked: 'later',
      },
      scopes: {
        required: 'everywhere',
        meaning: 'Must include `openid` and `email`.',
        asked: 'later',
        suggested: ['openid', 'email', 'profile', 'offline_access'],
      },
      prompt: {
        absent: null,
        without:
          'nothing; consent once, if a share needs a refresh token and `offline_access` did not suffice',
        meaning: PROMPT_TEXT,
        asked: 'later',
      },
      ...COMMON_FIELDS,
      supportsPkce: {
        required: 'in doorward.yaml',
        absent: true,
        meaning: 'Whether to use PKCE (S256). The other types always do.',
        asked: 'later',
      },
      groupsClaim: {
        absent: null,
        without: 'groups are not read',
        meaning:
          'The claim that names a person’s groups, a text or a list of texts, such as `groups`. A dotted path leads into objects: `realm_access.roles`.',
        asked: 'later',
      },
      claims: CLAIMS_FIELD,
      acrValues: {
        absent: [],
        without: 'any',
        meaning:
          'Up to 10 classes of authentication (`acr`), asked for at each login. A login that does not show one of them is refused.',
        asked: 'later',
      },
      maxAge: {
        absent: null,
        without: 'however long',
        meaning:
          'How long ago at most people proved to the provider who they are, asked for at each login. A login that shows an older `auth_time`, or none, is refused.',
        asked: 'later',
      },
      rpInitiatedLogout: {
        absent: false,
        meaning:
          'Continues a logout at the provider, so that people are also logged out there. Register `<endpoint_url>/<name>/logged-out` there as post-logout redirect URL.',
        asked: 'later',
      },
    },
    always: {},
    takesPrivateKey: true,
    hasLogout: true,
    refresh: 'scope',
    asksConsent: true,
    register: [
      'At the provider, register a **confidential web client** (one with a secret) for the **authorization code** flow.',
      'As its redirect URL give {redirectUrl}',
      'Allow the scopes `openid` and `email`; `offline_access` lets Doorward check logins again in the background.',
      'Copy its issuer, client ID and client secret.',
    ],
  },
} as const satisfies Readonly<Record<string, ProviderKind>>;

/** As doorward.yaml spells it. */
export type ProviderType = keyof typeof PROVIDER_KINDS;
/** As the API spells it. */
export type DefinitionType = (typeof PROVIDER_KINDS)[ProviderType]['spelling'];

export const PROVIDER_TYPES = Object.keys(PROVIDER_KINDS) as readonly ProviderType[];
export const DEFINITION_TYPES: readonly DefinitionType[] = PROVIDER_TYPES.map(definitionTypeOf);

export function kindOf(type: ProviderType): ProviderKind {
  return PROVIDER_KINDS[type];
}

export function definitionTypeOf(type: ProviderType): DefinitionType {
  return PROVIDER_KINDS[type].spelling;
}

export function typeOfDefinition(spelling: DefinitionType): ProviderType {
  const found = PROVIDER_TYPES.find((type) => definitionTypeOf(type) === spelling);
  if (found === undefined) throw new Error(`no provider type is spelled ${spelling}`);
  return found;
}

export function kindOfDefinition(spelling: DefinitionType): ProviderKind {
  return kindOf(typeOfDefinition(spelling));
}

/** The types whose clients may have one in place of a secret. */
export const PRIVATE_KEY_TYPES = PROVIDER_TYPES.filter((type) => kindOf(type).takesPrivateKey);

/** The kind's own fields, in its order. */
export function fieldsOf(kind: Pick<ProviderKind, 'fields'>): readonly (readonly [FieldName, OwnField])[] {
  return Object.entries(kind.fields) as readonly (readonly [FieldName, OwnField])[];
}

/** The types that have a field, as the API spells them; empty when all have it. */
export function typesWith(field: FieldName): readonly DefinitionType[] {
  const having = PROVIDER_TYPES.filter((type) => Object.hasOwn(PROVIDER_KINDS[type].fields, field));
  return having.length === PROVIDER_TYPES.length ? [] : having.map(definitionTypeOf);
}

/** The types that must be given it. */
export function typesNeeding(field: FieldName): readonly DefinitionType[] {
  const needing = PROVIDER_TYPES.filter((type) => kindOf(type).fields[field]?.required === 'everywhere');
  return needing.map(definitionTypeOf);
}

/** What holds for a field that is not given; undefined when the type needs it or has none. */
export function absentValue(kind: ProviderKind, field: FieldName, given: GivenValues): unknown {
  const absent = kind.fields[field]?.absent;
  return typeof absent === 'function' ? absent(given) : absent;
}

/** Those that hold what follows from others anyway. */
export function followingFields(kind: ProviderKind, values: GivenValues): readonly FieldName[] {
  return fieldsOf(kind).flatMap(([field, { absent }]) =>
    typeof absent === 'function' && absent(values) === values[field] ? [field] : [],
  );
}

/**
 * Every field with its value: as given, as the type has it without, or nothing. Fields that the type needs
 * must be given.
 */
export function settledValues(kind: ProviderKind, given: GivenValues): ProviderValues {
  const entries = (Object.keys(PROVIDER_FIELDS) as readonly FieldName[]).map((field) => {
    const own = kind.fields[field] === undefined ? kind.always[field] : given[field];
    return [field, own ?? absentValue(kind, field, given) ?? nothingOf(field)] as const;
  });
  return Object.fromEntries(entries) as unknown as ProviderValues;
}

function nothingOf(field: FieldName): unknown {
  return NOTHING[PROVIDER_FIELDS[field].form] ?? null;
}

/** GitHub's own API has a host of its own; that of an enterprise server lies below the server's address. */
function apiUrlOf(baseUrl: string): string {
  return baseUrl === GITHUB_URL ? 'https://api.github.com' : `${baseUrl}/api/v3`;
}

/** Where null is none. */
const NOTHING: Readonly<Record<string, unknown>> = {
  switch: false,
  scopes: [],
  patterns: [],
  parameters: {},
  claims: [],
  'acr values': [],
};
