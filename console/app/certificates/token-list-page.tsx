// Certificates for many people: a CSV that is chosen or pasted, what is wrong with it, and a link for each.
// The file is read in the browser alone. Links are shown this once.

import { useMemo, useState } from 'react';
import { type CertificatePeople, parseCertificatePeople } from '../../../src/domain/certificate-people.ts';
import type { NewTokenObject, PolicyObject } from '../../../src/wire/certificate.ts';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { hrefTo } from '../router.tsx';
import { MadeLinks } from './made-links.tsx';
import { Naming, Times } from './token-fields.tsx';
import { firstInput, type TokenInput } from './token-input.ts';
import { newListName, tokensOf } from './token-list.ts';
import { UnderPolicy } from './under-policy.tsx';

export function TokenListPage() {
  const [wanted, setWanted] = useState<readonly NewTokenObject[] | null>(null);
  if (wanted !== null) return <MadeLinks wanted={wanted} />;
  return (
    <>
      <PageHead
        title="New certificates from a list"
        back={{ title: 'Request tokens', href: hrefTo('certificates', 'tokens') }}
        about="Choose or paste a CSV with an email address per line, and get a link for each person."
      />
      <UnderPolicy>{(policy) => <ListForm policy={policy} begin={setWanted} />}</UnderPolicy>
    </>
  );
}

type ListFormProps = {
  readonly policy: PolicyObject;
  readonly begin: (wanted: readonly NewTokenObject[]) => void;
};

function ListForm({ policy, begin }: ListFormProps) {
  const [text, setText] = useState('');
  const [input, setInput] = useState(() => firstInput(policy));
  const change = (part: Partial<TokenInput>) => setInput((before) => ({ ...before, ...part }));
  const read = useMemo(() => parseCertificatePeople(text), [text]);
  const count = read.people.length;
  const send = async () => {
    if (read.faults.length > 0) throw new Error('Correct the lines that are listed, then try again.');
    if (count === 0) throw new Error('Enter at least one person.');
    begin(tokensOf(read.people, { input, policy, list: newListName() }));
  };
  return (
    <Form action={count < 2 ? 'Create links' : `Create ${count} links`} send={send}>
      {(faults) => (
        <>
          <Field label="CSV file" optional help="It is read in your browser, and not uploaded.">
            {(control) => (
              <input
                {...control}
                type="file"
                accept=".csv,text/csv,text/plain"
                // The same file is read again once its lines are corrected.
                onClick={({ currentTarget }) => {
                  currentTarget.value = '';
                }}
                onChange={({ target }) => void textOf(target.files?.[0]).then(setText)}
              />
            )}
          </Field>
          <Field
            label="People"
            help="email, name, days: one person per line, at most 500. The name is the common name (default: the address); days is how long the certificate is valid."
          >
            {(control) => (
              <textarea
                {...control}
                rows={8}
                spellCheck={false}
                placeholder={'ann@example.com,ann,90\nbob@example.com'}
                value={text}
                onChange={({ target }) => setText(target.value)}
              />
            )}
          </Field>
          <Found read={read} />
          <Times policy={policy} draft={input} change={change} faults={faults} />
          <Naming policy={policy} draft={input} change={change} faults={faults} />
        </>
      )}
    </Form>
  );
}

function Found({ read: { people, faults } }: { readonly read: CertificatePeople }) {
  return (
    <div role="status">
      {faults.length === 0 && people.length > 0 && (
        <p className="soft">{people.length === 1 ? 'One person.' : `${people.length} people.`}</p>
      )}
      {faults.length > 0 && (
        <Note tone="warn">
          <div>
            <p>Nothing is created while lines have errors:</p>
            <ul>
              {faults.slice(0, MOST_SHOWN).map(({ line, message }) => (
                <li key={line}>
                  Line {line}: {message}.
                </li>
              ))}
            </ul>
            {faults.length > MOST_SHOWN && <p>And {faults.length - MOST_SHOWN} more.</p>}
          </div>
        </Note>
      )}
    </div>
  );
}

/** More than any list has is not read: the reader refuses it by its length. */
async function textOf(file: File | undefined): Promise<string> {
  return file === undefined ? '' : file.slice(0, MOST_BYTES).text();
}

const MOST_SHOWN = 20;
const MOST_BYTES = 1024 * 1024;
