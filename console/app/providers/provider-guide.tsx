// What to register at a provider, and where: one short list for each kind, with the exact address to paste.

import type { ReactNode } from 'react';
import type { ProviderType } from '../../../src/wire/provider.ts';
import { CopyText } from '../parts/copy-text.tsx';

type GuideProps = {
  readonly type: ProviderType;
  readonly redirectUrl: string;
  /** False while the name that is a part of it is missing: then there is nothing to copy yet. */
  readonly isReady?: boolean;
};

export function ProviderGuide({ type, redirectUrl, isReady = true }: GuideProps) {
  const address = isReady ? (
    <CopyText text={redirectUrl} label="the redirect URL" />
  ) : (
    <>
      <code className="soft">{redirectUrl}</code> <em>(choose the name first)</em>
    </>
  );
  const Steps = GUIDES[type];
  return (
    <ol className="guide">
      <Steps address={address} />
    </ol>
  );
}

type StepsProps = { readonly address: ReactNode };

function GoogleSteps({ address }: StepsProps) {
  return (
    <>
      <li>
        Open <Out href="https://console.cloud.google.com/apis/credentials">Credentials</Out> in the Google
        Cloud console, and choose a project.
      </li>
      <li>
        If it asks for a consent screen first:{' '}
        <Out href="https://console.cloud.google.com/auth/audience">Audience</Out>. <b>Internal</b> lets in the
        accounts of your organisation only, <b>External</b> everybody’s.
      </li>
      <li>
        Choose <b>Create credentials</b>, <b>OAuth client ID</b>, and the type <b>Web application</b>.
      </li>
      <li>
        Under <b>Authorised redirect URIs</b> add {address}
      </li>
      <li>
        Scopes: nothing to add. Doorward asks for <code>openid</code>, <code>email</code> and{' '}
        <code>profile</code>, which Google need not review.
      </li>
      <li>
        Choose <b>Create</b>, and copy the client ID and the client secret into the fields below.
      </li>
    </>
  );
}

function GitHubSteps({ address }: StepsProps) {
  return (
    <>
      <li>
        Open <Out href="https://github.com/settings/applications/new">New OAuth app</Out> on GitHub. For an
        app of your organisation: its settings, <b>Developer settings</b>, <b>OAuth apps</b>.
      </li>
      <li>
        As <b>Homepage URL</b> give any page of yours that people know.
      </li>
      <li>
        As <b>Authorization callback URL</b> give {address}
      </li>
      <li>
        Scopes: nothing to choose. Doorward asks for <code>read:user</code> and <code>user:email</code>.
      </li>
      <li>
        Choose <b>Register application</b>, then <b>Generate a new client secret</b>, and copy both into the
        fields below.
      </li>
    </>
  );
}

function OpenIdSteps({ address }: StepsProps) {
  return (
    <>
      <li>
        At the provider, register a <b>confidential web client</b> (one with a secret) for the{' '}
        <b>authorization code</b> flow.
      </li>
      <li>As its redirect URL give {address}</li>
      <li>
        Allow the scopes <code>openid</code> and <code>email</code>; <code>offline_access</code> lets logins
        be checked again without anybody noticing.
      </li>
      <li>
        Copy its issuer, client ID and client secret into the fields below.
        <Products />
      </li>
    </>
  );
}

/** Where each of the usual products keeps these things. */
function Products() {
  return (
    <>
      <details>
        <summary>In Keycloak</summary>
        <p>
          Issuer <code>https://HOST/realms/REALM</code>. In the realm’s <b>Clients</b>, create one with{' '}
          <b>Client authentication</b> and <b>Standard flow</b> on; the secret is under <b>Credentials</b>.
          Users made by hand need <b>Email verified</b> switched on.
        </p>
      </details>
      <details>
        <summary>In Microsoft Entra ID</summary>
        <p>
          <Out href="https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade">
            App registrations
          </Out>
          , <b>New registration</b>, platform <b>Web</b>. Issuer{' '}
          <code>https://login.microsoftonline.com/TENANT-ID/v2.0</code>, with your tenant’s id. Add the
          optional claim <code>email</code> to the ID token. Entra does not say whether addresses are
          verified: switch that off below, and restrict by pattern.
        </p>
      </details>
      <details>
        <summary>In Okta</summary>
        <p>
          <b>Applications</b>, <b>Create App Integration</b>, <b>OIDC</b>, <b>Web Application</b>, with the
          grant types <b>Authorization Code</b> and <b>Refresh Token</b>. Issuer{' '}
          <code>https://YOURS.okta.com</code>.
        </p>
      </details>
    </>
  );
}

function Out({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

const GUIDES: Readonly<Record<ProviderType, (props: StepsProps) => ReactNode>> = {
  GOOGLE: GoogleSteps,
  GITHUB: GitHubSteps,
  OIDC: OpenIdSteps,
};
