// The account's rules for what its certificates may say.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PolicyObject } from '../../../src/client/certificate-object.ts';
import { client } from '../api/client.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useTell } from '../parts/toast.tsx';

export function RulesPage() {
  const policy = useQuery({
    queryKey: ['certificate-policy'],
    queryFn: () => client.certificates.policy(),
  });
  return (
    <>
      <PageHead
        title="Rules"
        about="What certificates of this account may say. They hold when a token is made, when it is redeemed, and when a certificate is renewed; what was issued before stays as it is."
      />
      {policy.isError && <ProblemNote error={policy.error} retry={policy.refetch} />}
      {policy.isPending && <Loading what="the rules" />}
      {policy.data !== undefined && <RulesForm policy={policy.data} />}
    </>
  );
}

function RulesForm({ policy }: { readonly policy: PolicyObject }) {
  const queries = useQueryClient();
  const tell = useTell();
  const [rules, setRules] = useState(() => textOf(policy));
  const change = (part: Partial<Rules>) => setRules((before) => ({ ...before, ...part }));
  const send = async () => {
    const kept = await client.certificates.setPolicy(policyOf(rules));
    queries.setQueryData(['certificate-policy'], kept);
    setRules(textOf(kept));
    tell('The rules were saved');
  };
  return (
    <Form action="Save" send={send}>
      {(faults) => (
        <>
          <Field
            label="Organization"
            help="What every certificate says. Empty: each token says its own, or none."
            fault={faults['organization']}
          >
            {(control) => (
              <input
                {...control}
                value={rules.organization}
                onChange={({ target }) => change({ organization: target.value })}
              />
            )}
          </Field>
          <Field
            label="Units"
            help="One a line; every certificate has one of them. Empty: any, or none."
            fault={firstFault(faults, 'organizationalUnits')}
          >
            {(control) => (
              <textarea
                {...control}
                rows={4}
                value={rules.units}
                onChange={({ target }) => change({ units: target.value })}
              />
            )}
          </Field>
          <Field
            label="Common names match"
            help="*.corp: * is any run of characters, ? is one. Empty: any."
            fault={faults['commonNamePattern']}
          >
            {(control) => (
              <input
                {...control}
                value={rules.commonNamePattern}
                onChange={({ target }) => change({ commonNamePattern: target.value })}
              />
            )}
          </Field>
          <Field label="Good for at most" help="Such as 90d. Empty: 397d." fault={faults['maxValidity']}>
            {(control) => (
              <input
                {...control}
                value={rules.maxValidity}
                onChange={({ target }) => change({ maxValidity: target.value })}
              />
            )}
          </Field>
        </>
      )}
    </Form>
  );
}

/** As it is typed; a unit a line. */
type Rules = {
  readonly organization: string;
  readonly units: string;
  readonly commonNamePattern: string;
  readonly maxValidity: string;
};

function textOf(policy: PolicyObject): Rules {
  return {
    organization: policy.organization ?? '',
    units: policy.organizationalUnits.join('\n'),
    commonNamePattern: policy.commonNamePattern ?? '',
    maxValidity: policy.maxValidity ?? '',
  };
}

function policyOf({ organization, units, commonNamePattern, maxValidity }: Rules): PolicyObject {
  return {
    organization: said(organization),
    organizationalUnits: units.split('\n').flatMap((unit) => said(unit) ?? []),
    commonNamePattern: said(commonNamePattern),
    maxValidity: said(maxValidity),
  };
}

/** Of a list, the fault of its first line that has one. */
function firstFault(faults: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(faults).find(([path]) => path === name || path.startsWith(`${name}.`))?.[1];
}

function said(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
