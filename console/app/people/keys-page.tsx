// API keys: what programs call the control API with.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyObject, MadeApiKey, NewApiKeyWish } from '../../../src/client/api-key-object.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';

export function KeysPage() {
  const queries = useQueryClient();
  const [made, setMade] = useState<MadeApiKey | null>(null);
  const list = useList(['api-keys'], (cursor) => client.apiKeys.list({ cursor, limit: PAGE }));
  const anew = () => queries.invalidateQueries({ queryKey: ['api-keys'] });
  const columns: readonly Column<ApiKeyObject>[] = [
    { title: 'Name', cell: ({ name }) => name },
    {
      title: 'May',
      cell: ({ role, scope }) =>
        scope === 'full' ? `all that ${role === 'admin' ? 'an admin' : 'a member'} may` : `${scope} only`,
    },
    { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
    { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
    {
      title: 'Change',
      cell: ({ id, name }) => (
        <Confirm
          label="Delete"
          title={`Delete the key ${name}?`}
          action="Delete"
          run={() => client.apiKeys.remove(id).then(anew)}
        >
          <p>Whatever calls with it is refused at once.</p>
        </Confirm>
      ),
    },
  ];
  return (
    <>
      <PageHead title="API keys" />
      <NewKey made={(key) => (setMade(key), anew())} />
      <ListView
        list={list}
        label="API keys"
        id={({ id }) => id}
        columns={columns}
        empty={
          <Empty title="There is no key">
            <p>A key lets programs and the doorward command do what you may, or less.</p>
          </Empty>
        }
      />
      {made !== null && (
        <ShownOnce
          title={`The key ${made.name}`}
          text={made.key}
          label="the key"
          close={() => setMade(null)}
        />
      )}
    </>
  );
}

function NewKey({ made }: { readonly made: (key: MadeApiKey) => unknown }) {
  const [wish, setWish] = useState<NewApiKeyWish>(NO_WISH);
  const send = async () => {
    const { expiresIn, ...rest } = wish;
    made(await client.apiKeys.create({ ...rest, ...(expiresIn === '' ? {} : { expiresIn }) }));
    setWish(NO_WISH);
  };
  return (
    <Form action="Make a key" send={send}>
      {(faults) => (
        <>
          <Field label="Name" help="Where it is used." fault={faults['name']}>
            {(control) => (
              <input
                {...control}
                required
                value={wish.name}
                onChange={(event) => setWish({ ...wish, name: event.target.value })}
              />
            )}
          </Field>
          <Field label="Scope" help="tunnel: share ports and nothing else." fault={faults['scope']}>
            {(control) => (
              <select
                {...control}
                value={wish.scope}
                onChange={(event) => setWish({ ...wish, scope: scopeOf(event.target.value) })}
              >
                <option>full</option>
                <option>read</option>
                <option>tunnel</option>
              </select>
            )}
          </Field>
          <Field label="Good for" help="Such as 90d. Empty: for ever." fault={faults['expiresIn']}>
            {(control) => (
              <input
                {...control}
                value={wish.expiresIn}
                onChange={(event) => setWish({ ...wish, expiresIn: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </Form>
  );
}

function scopeOf(text: string): 'full' | 'read' | 'tunnel' {
  return text === 'read' || text === 'tunnel' ? text : 'full';
}

const NO_WISH: NewApiKeyWish = { name: '', scope: 'full', expiresIn: '90d' };
const PAGE = 100;
