// Request tokens: made here, redeemed once by whoever gets the link.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { renderSVG } from 'uqr';
import type { MadeToken, TokenObject } from '../../../src/client/certificate-object.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';

export function TokensPage() {
  const queries = useQueryClient();
  const [made, setMade] = useState<MadeToken | null>(null);
  const list = useList(['certificate-tokens'], (cursor) =>
    client.certificates.listTokens({ cursor, limit: PAGE }),
  );
  const anew = () => queries.invalidateQueries({ queryKey: ['certificate-tokens'] });
  const columns: readonly Column<TokenObject>[] = [
    ...COLUMNS,
    {
      title: 'Change',
      cell: ({ id, name, usedAt }) =>
        usedAt === null && (
          <Confirm
            label="Delete"
            title={`Delete the token ${name}?`}
            action="Delete"
            run={() => client.certificates.removeToken(id).then(anew)}
          >
            <p>Its link is worth nothing from then on.</p>
          </Confirm>
        ),
    },
  ];
  return (
    <>
      <PageHead title="Request tokens" />
      <NewToken made={(token) => (setMade(token), anew())} />
      <ListView
        list={list}
        label="Request tokens"
        id={({ id }) => id}
        columns={columns}
        empty={
          <Empty title="There is no token">
            <p>A token becomes one certificate, with the names that you give it here.</p>
          </Empty>
        }
      />
      {made !== null && (
        <ShownOnce
          title={`A certificate for ${made.commonName}`}
          text={made.redeemUrl}
          label="the link"
          close={() => setMade(null)}
        >
          <img
            className="qr"
            alt="The link as a QR code"
            src={`data:image/svg+xml,${encodeURIComponent(renderSVG(made.redeemUrl))}`}
          />
          <CopyText text={made.message} label="the message" />
        </ShownOnce>
      )}
    </>
  );
}

const COLUMNS: readonly Column<TokenObject>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'For', cell: ({ commonName }) => commonName },
  {
    title: 'State',
    cell: ({ usedAt, expiresAt }) => {
      if (usedAt !== null) return <Badge good>redeemed</Badge>;
      return Date.parse(expiresAt) > Date.now() ? (
        <Badge good>open</Badge>
      ) : (
        <Badge good={false}>expired</Badge>
      );
    },
  },
  { title: 'Until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];

function NewToken({ made }: { readonly made: (token: MadeToken) => unknown }) {
  const [wish, setWish] = useState(NOTHING);
  const change = (part: Partial<Wish>) => setWish({ ...wish, ...part });
  const send = async () => {
    const { unit, email, ...rest } = wish;
    made(
      await client.certificates.createToken({
        ...rest,
        ...(unit === '' ? {} : { organizationalUnit: unit }),
        ...(email === '' ? {} : { emailAddress: email }),
      }),
    );
    setWish(NOTHING);
  };
  return (
    <Form action="Make a token" send={send}>
      {(faults) => (
        <>
          <Field label="Name" help="What you call it: whose laptop, which service." fault={faults['name']}>
            {(control) => (
              <input
                {...control}
                required
                value={wish.name}
                onChange={(event) => change({ name: event.target.value })}
              />
            )}
          </Field>
          <Field
            label="Common name"
            help="Of the certificate: what it is used for."
            fault={faults['commonName']}
          >
            {(control) => (
              <input
                {...control}
                required
                value={wish.commonName}
                onChange={(event) => change({ commonName: event.target.value })}
              />
            )}
          </Field>
          <Field label="Organizational unit" fault={faults['organizationalUnit']}>
            {(control) => (
              <input
                {...control}
                value={wish.unit}
                onChange={(event) => change({ unit: event.target.value })}
              />
            )}
          </Field>
          <Field label="Address" fault={faults['emailAddress']}>
            {(control) => (
              <input
                {...control}
                type="email"
                value={wish.email}
                onChange={(event) => change({ email: event.target.value })}
              />
            )}
          </Field>
          <Field label="Valid for" help="Such as 30d, at most 397d." fault={faults['validity']}>
            {(control) => (
              <input
                {...control}
                required
                value={wish.validity}
                onChange={(event) => change({ validity: event.target.value })}
              />
            )}
          </Field>
        </>
      )}
    </Form>
  );
}

type Wish = {
  readonly name: string;
  readonly commonName: string;
  readonly unit: string;
  readonly email: string;
  readonly validity: string;
};
const NOTHING: Wish = { name: '', commonName: '', unit: '', email: '', validity: '30d' };
const PAGE = 100;
