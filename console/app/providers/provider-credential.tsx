// What the client proves itself with at the provider: a secret or, where the type takes one, a private key.
// Both go in and never come out.

import { kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import { Choice } from '../parts/choice.tsx';
import { type FieldsProps, LinesField, TextField } from './draft-fields.tsx';

export function ProviderCredential(props: FieldsProps) {
  const { type, draft, change } = props;
  if (!kindOfDefinition(type).takesPrivateKey) return <SecretField {...props} />;
  return (
    <>
      <Choice
        label="Client authentication"
        value={draft.credential}
        options={CREDENTIALS}
        change={(credential) => change({ credential })}
      />
      {draft.credential === 'secret' ? <SecretField {...props} /> : <KeyFields {...props} />}
    </>
  );
}

function SecretField(props: FieldsProps) {
  const { type, keepsSecret } = props;
  return (
    <TextField
      {...props}
      part="clientSecret"
      label={keepsSecret ? 'New client secret' : 'Client secret'}
      help={
        keepsSecret
          ? keeps(kindOfDefinition(type).takesPrivateKey ? 'the stored secret or key' : 'the stored one')
          : KEPT
      }
      input="password"
      autoComplete="new-password"
      required={!keepsSecret}
    />
  );
}

function KeyFields(props: FieldsProps) {
  const { keepsSecret, faults } = props;
  // Another issuer, say, wants the credential again, and the service says so at the secret.
  const fault = faults['config.clientPrivateKey'] ?? faults['config.clientSecret'];
  return (
    <>
      <LinesField
        {...props}
        faults={fault === undefined ? faults : { ...faults, 'config.clientPrivateKey': fault }}
        part="clientPrivateKey"
        label={keepsSecret ? 'New private key' : 'Private key'}
        help={`PEM (PKCS#8): RSA, P-256, P-384 or Ed25519. ${keepsSecret ? keeps('the stored secret or key') : KEPT}`}
        required={!keepsSecret}
      />
      <TextField
        {...props}
        part="clientKeyId"
        label="Key ID"
        optional
        help="The provider’s ID of this key (kid). Set it together with the key."
      />
    </>
  );
}

function keeps(what: string): string {
  return `Empty keeps ${what}. Another issuer, server, client ID or CA needs its own.`;
}

const KEPT = 'It is stored encrypted, and never shown again.';
const CREDENTIALS = [
  {
    value: 'secret',
    title: 'Shared secret',
    about: 'A secret that the provider gave you.',
  },
  {
    value: 'key',
    title: 'Private key',
    about: 'Your own key pair; the provider has the public key (private_key_jwt).',
  },
] as const;
