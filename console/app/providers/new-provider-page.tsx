// Guides to a definition: what to register where, then what the provider gave for it.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewProvider, ProviderType } from '../../../src/client/provider-object.ts';
import { client } from '../api/client.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useTell } from '../parts/toast.tsx';
import { hrefTo, useRouter } from '../router.tsx';
import { KINDS } from './provider-kinds.ts';

export function NewProviderPage() {
  const [given, setGiven] = useState(NOTHING);
  const change = (part: Partial<Given>) => setGiven({ ...given, ...part });
  const { go } = useRouter();
  const queries = useQueryClient();
  const tell = useTell();
  const send = async () => {
    const made = await client.providers.create(definitionOf(given));
    await queries.invalidateQueries({ queryKey: ['providers'] });
    tell(`${made.name} is defined`, 'Register its redirect URL, then test it.');
    go(hrefTo('providers', made.name));
  };
  const kind = KINDS[given.type];
  return (
    <>
      <PageHead title="New provider" />
      <Form action="Define it" send={send}>
        {(faults) => (
          <>
            <Field label="Kind" help={kind.register} fault={faults['type']}>
              {(control) => (
                <select
                  {...control}
                  value={given.type}
                  onChange={(event) => change({ type: typeOf(event.target.value) })}
                >
                  {Object.entries(KINDS).map(([type, { title }]) => (
                    <option key={type} value={type}>
                      {title}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field
              label="Name"
              help="Small letters, digits and hyphens. It is part of the redirect URL."
              fault={faults['name']}
            >
              {(control) => (
                <input
                  {...control}
                  required
                  autoComplete="off"
                  value={given.name}
                  onChange={(event) => change({ name: event.target.value })}
                />
              )}
            </Field>
            {kind.needsIssuer && (
              <Field
                label="Issuer"
                help="As the provider names itself: https://id.example.com"
                fault={faults['config.issuerUrl']}
              >
                {(control) => (
                  <input
                    {...control}
                    required
                    type="url"
                    value={given.issuerUrl}
                    onChange={(event) => change({ issuerUrl: event.target.value })}
                  />
                )}
              </Field>
            )}
            <Field label="Client ID" fault={faults['config.clientId']}>
              {(control) => (
                <input
                  {...control}
                  required
                  autoComplete="off"
                  value={given.clientId}
                  onChange={(event) => change({ clientId: event.target.value })}
                />
              )}
            </Field>
            <Field
              label="Client secret"
              help="It is kept encrypted, and never shown again."
              fault={faults['config.clientSecret']}
            >
              {(control) => (
                <input
                  {...control}
                  required
                  type="password"
                  autoComplete="new-password"
                  value={given.clientSecret}
                  onChange={(event) => change({ clientSecret: event.target.value })}
                />
              )}
            </Field>
            <Field
              label="Addresses it may let in"
              help="Patterns such as *@partner.example, one a line, for every share that uses it. None: any address."
              fault={faults['config.emailPatterns']}
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={3}
                  value={given.emailPatterns}
                  onChange={(event) => change({ emailPatterns: event.target.value })}
                />
              )}
            </Field>
          </>
        )}
      </Form>
    </>
  );
}

type Given = {
  readonly type: ProviderType;
  readonly name: string;
  readonly issuerUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly emailPatterns: string;
};

function definitionOf({ type, name, issuerUrl, clientId, clientSecret, emailPatterns }: Given): NewProvider {
  const patterns = emailPatterns.split(/\s+/).filter(Boolean);
  return {
    type,
    name,
    config: {
      clientId,
      clientSecret,
      ...(KINDS[type].needsIssuer ? { issuerUrl, scopes: ['openid', 'email', 'profile'] } : {}),
      ...(patterns.length === 0 ? {} : { emailPatterns: patterns }),
    },
  };
}

function typeOf(text: string): ProviderType {
  return text === 'GOOGLE' || text === 'GITHUB' ? text : 'OIDC';
}

const NOTHING: Given = {
  type: 'OIDC',
  name: '',
  issuerUrl: '',
  clientId: '',
  clientSecret: '',
  emailPatterns: '',
};
