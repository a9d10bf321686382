// The account's rules for what its certificates may say. They are changed onto the version that was shown.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import type { PolicyObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { EditForm } from '../parts/edit-form.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field } from '../parts/field.tsx';
import type { Faults } from '../parts/faults.ts';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SwitchField } from '../parts/switch-field.tsx';
import { useTell } from '../parts/toast.tsx';
import { useVersion } from '../parts/use-version.ts';
import { useMay } from '../shell/session-context.ts';
import { changedRules, policyOf, type Rules, ruleWords, rulesOf } from './rules.ts';

export function RulesPage() {
  const may = useMay();
  const policy = useVersion(['certificate-policy'], () => client.certificates.readPolicy());
  // What it was when it was opened: what is read meanwhile must not change it under somebody's hands.
  const [start, setStart] = useState<Versioned<PolicyObject> | null>(null);
  const { data } = policy;
  return (
    <>
      <PageHead
        title="Rules"
        about="Rules for certificates of this account. They apply when a token is created, when it is redeemed, and when a certificate is renewed. Issued certificates do not change."
      >
        {data !== undefined && start === null && may('certificates.write') && (
          <button type="button" onClick={() => setStart(data)}>
            Edit
          </button>
        )}
      </PageHead>
      {policy.isError && <ProblemNote error={policy.error} retry={policy.refetch} />}
      {policy.isPending && <Loading what="the rules" />}
      {data !== undefined && start === null && (
        <Facts facts={Object.entries(ruleWords(data.value)).map(([title, value]) => ({ title, value }))} />
      )}
      {start !== null && (
        <Panel title="Change the rules">
          <RulesForm start={start} close={() => setStart(null)} />
        </Panel>
      )}
    </>
  );
}

type RulesFormProps = { readonly start: Versioned<PolicyObject>; readonly close: () => void };

function RulesForm({ start, close }: RulesFormProps) {
  const queries = useQueryClient();
  const tell = useTell();
  const [rules, setRules] = useState(() => rulesOf(start.value));
  return (
    <EditForm
      start={start}
      changes={() => changedRules(start.value, policyOf(rules))}
      send={(changes, { etag }) => client.certificates.setPolicy(changes, { ifMatch: etag })}
      read={() => client.certificates.readPolicy()}
      fieldsOf={ruleWords}
      withChanges={(policy, changes) => ({ ...policy, ...changes })}
      done={async (how) => {
        if (how !== 'cancelled') await queries.invalidateQueries({ queryKey: ['certificate-policy'] });
        if (how === 'saved') tell('Rules saved', 'They apply to new tokens immediately.');
        close();
      }}
    >
      {(faults) => (
        <RuleFields
          rules={rules}
          change={(part) => setRules((before) => ({ ...before, ...part }))}
          faults={faults}
        />
      )}
    </EditForm>
  );
}

type RuleFieldsProps = {
  readonly rules: Rules;
  readonly change: (part: Partial<Rules>) => void;
  readonly faults: Faults;
};

function RuleFields({ rules, change, faults }: RuleFieldsProps) {
  const units = Object.entries(faults).find(([path]) => path.startsWith('organizationalUnits'))?.[1];
  return (
    <>
      <Field
        label="Organization"
        help="The organization of every certificate. Empty: each token sets its own, or none."
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
        help="One per line; every certificate has one of them. Empty: any unit, or none."
        fault={units}
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
      <Field label="Valid for at most" help="Such as 90d. Empty: 397d." fault={faults['maxValidity']}>
        {(control) => (
          <input
            {...control}
            value={rules.maxValidity}
            onChange={({ target }) => change({ maxValidity: target.value })}
          />
        )}
      </Field>
      <Field
        label="Can be renewed for"
        help="Counted from the first certificate, such as 365d. After that an admin creates a new link. “none”: never. Empty: 397d."
        fault={faults['renewableFor']}
      >
        {(control) => (
          <input
            {...control}
            value={rules.renewableFor}
            onChange={({ target }) => change({ renewableFor: target.value })}
          />
        )}
      </Field>
      <SwitchField
        label="People may renew their certificates by logging in"
        help="In the last third of its lifetime, at “My access”, if a provider vouches for the address in it. Leave it off if a certificate must prove more than a login."
        on={rules.renewalByLogin}
        change={(renewalByLogin) => change({ renewalByLogin })}
      />
    </>
  );
}
