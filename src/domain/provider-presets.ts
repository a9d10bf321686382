// What common products need: where each keeps its issuer, what it says of people, what to register there.
// All of them are providers of type `oidc`; a preset fills in its settings, and is nothing that is kept. The
// console's form, `doorward provider create --preset` and docs/how-to/openid-connect.md have them from here.

import type { GivenValues } from './provider-fields.ts';
import type { ProviderType } from './provider-kinds.ts';

export type ProviderPreset = {
  readonly title: string;
  /** What is in braces is to be filled in. */
  readonly issuer: string;
  readonly settings: GivenValues;
  /** What to do there, step by step, written as `ProviderKind.register` is. */
  readonly register: readonly string[];
  /** What it says of people, and what follows from that; in the same way. */
  readonly claims: readonly string[];
};

const SCOPES = ['openid', 'email', 'profile'];
const WITH_REFRESH = [...SCOPES, 'offline_access'];
const VERIFIED = { supportsPkce: true, requireVerifiedEmail: true };

export const PROVIDER_PRESETS = {
  keycloak: {
    title: 'Keycloak',
    issuer: 'https://{host}/realms/{realm}',
    settings: { scopes: SCOPES, groupsClaim: 'groups', ...VERIFIED },
    register: [
      'In the realm’s **Clients**, choose **Create client**, type **OpenID Connect**.',
      'Switch **Client authentication** and **Standard flow** on.',
      'Under **Valid redirect URIs** add {redirectUrl}',
      'Copy the client ID, and the client secret under **Credentials**.',
      'For groups: in **Client scopes**, the client’s own, add a mapper **Group Membership** with the token claim name `groups`, **Full group path** off, and **Add to userinfo** on.',
    ],
    claims: [
      '`email_verified` is the user’s **Email verified** switch. Users created by hand need it on.',
      'A refresh token comes without `offline_access`, so nobody is asked for consent.',
      '`groups` comes from that mapper. For realm roles use `realm_access.roles` instead, and switch **Add to userinfo** on in the mapper **realm roles** of the client scope **roles**.',
    ],
  },
  entra: {
    title: 'Microsoft Entra ID',
    issuer: 'https://login.microsoftonline.com/{tenant-id}/v2.0',
    settings: {
      scopes: WITH_REFRESH,
      groupsClaim: 'roles',
      supportsPkce: true,
      requireVerifiedEmail: false,
    },
    register: [
      'Open [App registrations](https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade), and choose **New registration**.',
      'As **Redirect URI** choose the platform **Web**, and give {redirectUrl}',
      'Under **Token configuration** add the optional claim `email` to the ID token.',
      'Under **Certificates & secrets** create a client secret. Copy its value, and the application (client) ID.',
      'For groups: under **App roles** create roles, and assign people or groups to them at **Enterprise applications**, **Users and groups**.',
    ],
    claims: [
      'The issuer has the tenant’s ID, not `common` or `organizations`: their issuer differs from token to token and is refused.',
      'Entra sends no `email_verified`, and administrators of a tenant can set any address on their users. Use your own tenant, and restrict by pattern.',
      'With `offline_access` a refresh token comes at each login, and Doorward asks nobody for consent. `prompt=consent` would stop people of a tenant where only administrators may consent. Grant admin consent once, at **API permissions**, and Entra asks nobody either.',
      'Entra has no revocation endpoint; logging out ends the session here.',
      '`roles` has the values of the app roles that a person has. With `groups` instead, and a groups claim under **Token configuration**, groups are their object IDs; when a person is in too many for a token, Doorward asks Microsoft Graph, which needs the delegated permission `User.Read`.',
    ],
  },
  okta: {
    title: 'Okta',
    issuer: 'https://{domain}.okta.com',
    settings: { scopes: [...WITH_REFRESH, 'groups'], groupsClaim: 'groups', ...VERIFIED },
    register: [
      'Under **Applications** choose **Create App Integration**, **OIDC**, **Web Application**.',
      'As grant types choose **Authorization Code** and **Refresh Token**.',
      'As the redirect URI for logins give {redirectUrl}',
      'Assign the people who may log in. Copy the client ID and the client secret.',
      'For groups: in the app’s **Sign On** tab, edit **OpenID Connect ID Token**, and set a groups claim filter named `groups` for the groups that Doorward may see.',
    ],
    claims: [
      'A custom authorization server has an issuer of its own: `https://{domain}.okta.com/oauth2/default`.',
      'A refresh token comes with `offline_access`, without asking for consent unless the scope is set to require it. Okta rotates refresh tokens if told to; Doorward stores each new one before using it.',
      '`groups` comes with the scope `groups`, as far as the filter lets it. A custom authorization server needs a claim and a scope of that name; take the scope away where there is none.',
    ],
  },
  gitlab: {
    title: 'GitLab',
    issuer: 'https://{host}',
    settings: { scopes: SCOPES, groupsClaim: 'groups', ...VERIFIED },
    register: [
      'Add an application: for everybody in the **Admin** area under **Applications**, for a group in its **Settings**, or in your own preferences.',
      'As **Redirect URI** give {redirectUrl}',
      'Leave **Confidential** on, and choose the scopes `openid`, `profile` and `email`.',
      'Copy the application ID (the client ID) and the secret.',
    ],
    claims: [
      'The host is `gitlab.com`, or that of your own GitLab. Anybody can have an account at gitlab.com: restrict by pattern.',
      '`email` is the primary address, and `email_verified` says whether GitLab verified it.',
      'A refresh token comes without `offline_access`, which GitLab does not know.',
      '`groups` has the paths of all groups that a person is a member of, such as `acme/platform`.',
    ],
  },
  auth0: {
    title: 'Auth0',
    issuer: 'https://{tenant}.{region}.auth0.com/',
    settings: { scopes: WITH_REFRESH, groupsClaim: 'https://doorward/roles', ...VERIFIED },
    register: [
      'Under **Applications** choose **Create Application**, **Regular Web Applications**.',
      'In its **Settings**, under **Allowed Callback URLs**, give {redirectUrl}',
      'Under **Advanced Settings**, **Grant Types**, leave **Authorization Code** and **Refresh Token** on.',
      'Copy the client ID and the client secret.',
      'For groups: under **Actions**, **Triggers**, **post-login**, add an action that calls `api.idToken.setCustomClaim("https://doorward/roles", event.authorization?.roles ?? [])`.',
    ],
    claims: [
      'The issuer ends in a slash. With a custom domain it is that domain: `https://{domain}/`.',
      '`email_verified` is false until people followed the link that Auth0 sent them.',
      'A refresh token comes with `offline_access`.',
      '`https://doorward/roles` has the person’s roles, once that action is there; Auth0 sends none by itself.',
    ],
  },
  authentik: {
    title: 'Authentik',
    issuer: 'https://{host}/application/o/{slug}/',
    settings: { scopes: WITH_REFRESH, groupsClaim: 'groups', ...VERIFIED },
    register: [
      'Under **Applications** create an application with a provider of type **OAuth2/OpenID**, client type **Confidential**.',
      'Under **Redirect URIs** add, as **Strict**, {redirectUrl}',
      'Under **Advanced protocol settings** choose the scopes `openid`, `email`, `profile` and `offline_access`.',
      'Copy the client ID and the client secret.',
    ],
    claims: [
      'The issuer has the application’s slug, and ends in a slash.',
      'Since 2025.10 `email_verified` is false unless a scope mapping of your own says otherwise, and Doorward refuses such addresses, whatever its settings. For `email`, add a mapping that returns `email_verified` as true for addresses that you verified, and choose it in place of the default.',
      'A refresh token comes with `offline_access`.',
      '`groups` has the names of the person’s groups; it comes with the scope `profile`.',
    ],
  },
} as const satisfies Readonly<Record<string, ProviderPreset>>;

export type PresetId = keyof typeof PROVIDER_PRESETS;

export const PRESET_IDS = Object.keys(PROVIDER_PRESETS) as readonly PresetId[];
/** Of all of them. */
export const PRESET_TYPE = 'oidc' satisfies ProviderType;

export function presetOf(id: PresetId): ProviderPreset {
  return PROVIDER_PRESETS[id];
}

/** Its settings, the issuer with its placeholders among them. */
export function presetSettings(id: PresetId): GivenValues {
  const { issuer, settings } = presetOf(id);
  return { ...settings, issuerUrl: issuer };
}

/** Whether something is left to be filled in. */
export function hasPlaceholder(address: string): boolean {
  return /[{}]/.test(address);
}
