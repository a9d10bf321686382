// The fields of a provider's form: what its kind needs, and what few have to change.

import { Field } from '../parts/field.tsx';
import { faultAt } from '../parts/faults.ts';
import { SwitchField } from '../parts/switch-field.tsx';
import { type FieldsProps, LinesField, TextField } from './draft-fields.tsx';
import { ProviderCredential } from './provider-credential.tsx';

export function ProviderFields(props: FieldsProps) {
  const { type } = props;
  return (
    <>
      {type === 'OIDC' && (
        <TextField
          {...props}
          part="issuerUrl"
          label="Issuer"
          help="As the provider names itself, exactly: https://id.example.com"
          input="url"
          required
        />
      )}
      <TextField {...props} part="clientId" label="Client ID" required />
      <ProviderCredential {...props} />
      <Patterns {...props} />
      {type === 'OIDC' && <OpenIdFields {...props} />}
      {type === 'GOOGLE' && <GoogleFields {...props} />}
      {type === 'GITHUB' && <ServerFields {...props} />}
    </>
  );
}

function Patterns({ draft, change, faults }: FieldsProps) {
  return (
    <Field
      label="Addresses it may let in"
      optional
      help="Patterns such as *@partner.example, one a line. They hold at every share that uses it; none means any address that the share allows."
      fault={faultAt(faults, 'config.emailPatterns')}
    >
      {(control) => (
        <textarea
          {...control}
          rows={3}
          spellCheck={false}
          value={draft.emailPatterns}
          onChange={(event) => change({ emailPatterns: event.target.value })}
        />
      )}
    </Field>
  );
}

function OpenIdFields(props: FieldsProps) {
  const { draft, change } = props;
  return (
    <>
      <SwitchField
        label="Verified addresses only"
        help="Who has an address that the provider does not call verified is refused."
        on={draft.requireVerifiedEmail}
        change={(requireVerifiedEmail) => change({ requireVerifiedEmail })}
      />
      <details className="more-fields">
        <summary>More settings</summary>
        <TextField
          {...props}
          part="discoveryUrl"
          label="Metadata"
          optional
          help="Where they are, when not below the issuer. They must name that issuer all the same."
          input="url"
        />
        <TextField
          {...props}
          part="emailClaim"
          label="Email claim"
          optional
          help="The claim that holds the address, such as upn; empty for email. The provider calls only addresses in email verified."
        />
        <TextField
          {...props}
          part="scopes"
          label="Scopes"
          help="With spaces between; openid and email must be among them."
          required
        />
        <RequestFields {...props} />
        <SwitchField
          label="PKCE"
          help="Protects the code on its way. Off only for a provider that refuses it."
          on={draft.supportsPkce}
          change={(supportsPkce) => change({ supportsPkce })}
        />
        <SwitchField
          label="Log out at the provider, too"
          help="A logout here goes on to the provider’s own."
          on={draft.rpInitiatedLogout}
          change={(rpInitiatedLogout) => change({ rpInitiatedLogout })}
        />
      </details>
    </>
  );
}

function GoogleFields(props: FieldsProps) {
  return (
    <details className="more-fields">
      <summary>More settings</summary>
      <RequestFields {...props} />
    </details>
  );
}

function RequestFields(props: FieldsProps) {
  const { type, draft, change } = props;
  return (
    <>
      <TextField
        {...props}
        part="prompt"
        label="Prompt"
        optional
        help={
          type === 'GITHUB'
            ? 'select_account asks people at each login which account to use.'
            : 'What to ask the provider for at each login: login, consent or select_account.'
        }
      />
      {type !== 'GITHUB' && (
        <SwitchField
          label="Ask for consent when checks need it"
          help="Once a person, and only when a login brought no refresh token. A prompt of your own takes its place."
          on={draft.asksConsent}
          change={(asksConsent) => change({ asksConsent })}
        />
      )}
      <LinesField
        {...props}
        part="loginParameters"
        label="Login parameters"
        optional
        help="Sent with each login request, one name=value a line: login_hint, domain_hint, acr_values."
      />
      <LinesField
        {...props}
        part="trustedAuthorities"
        label="CA certificates"
        optional
        help="PEM. The provider’s servers must be certified by these, in place of the public authorities."
      />
    </>
  );
}

function ServerFields(props: FieldsProps) {
  return (
    <details className="more-fields" open={props.draft.baseUrl !== ''}>
      <summary>More settings</summary>
      <RequestFields {...props} />
      <TextField
        {...props}
        part="baseUrl"
        label="GitHub Enterprise Server"
        optional
        help="https://github.example.com; empty for github.com"
        input="url"
      />
      <TextField
        {...props}
        part="apiUrl"
        label="API"
        optional
        help="Empty: /api/v3 of the server."
        input="url"
      />
    </details>
  );
}
