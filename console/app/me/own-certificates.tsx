// Somebody's own certificates: until when each is good, how it is renewed, and how it is revoked when a
// device is lost.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnCertificateObject, OwnRenewal } from '../../../src/wire/own.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { RenewalLink } from './renewal-link.tsx';
import './me.css';

export function OwnCertificates() {
  const list = useList(KEY, async () => ({ ...(await client.own.certificates()), nextCursor: null }));
  const queries = useQueryClient();
  const tell = useTell();
  const [link, setLink] = useState<OwnRenewal | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: KEY });
  const revoke = async ({ id, name }: OwnCertificateObject) => {
    await client.own.revoke(id);
    tell('The certificate was revoked', name);
    await refresh();
  };
  return (
    <Panel
      title="Your certificates"
      about="Certificates of your devices. Revoke a certificate when its device is lost, sold or given away."
    >
      {link !== null && (
        <RenewalLink
          link={link}
          close={() => {
            setLink(null);
            void refresh();
          }}
        />
      )}
      <ListView
        list={list}
        label="Your certificates"
        id={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: 'Renew or revoke',
            kind: 'actions',
            cell: (certificate) => <Actions certificate={certificate} revoke={revoke} made={setLink} />,
          },
        ]}
        empty={
          <Empty title="You have no certificates here" icon="certificates">
            <p>If an app requires a certificate, its owner sends you a link to get one.</p>
          </Empty>
        }
      />
    </Panel>
  );
}

type ActionsProps = {
  readonly certificate: OwnCertificateObject;
  readonly revoke: (certificate: OwnCertificateObject) => Promise<void>;
  readonly made: (link: OwnRenewal) => void;
};

function Actions({ certificate, revoke, made }: ActionsProps) {
  const { id, name, state, renewal } = certificate;
  if (state !== 'living') return null;
  return (
    <>
      {renewal === 'now' && (
        <Confirm
          calm
          quiet
          label="Renew"
          about={`Renew ${name}`}
          title={`Renew ${name}?`}
          action="Create link"
          run={async () => made(await client.own.renew(id))}
        >
          <p>
            You get a link to a new certificate with the same contents. Open it on the device that will use
            it, which creates the key. The link works once, within an hour. The old certificate stays valid
            until it expires.
          </p>
        </Confirm>
      )}
      <Confirm
        quiet
        label="Revoke"
        about={`Revoke ${name}`}
        title={`Revoke ${name}?`}
        action="Revoke it"
        run={() => revoke(certificate)}
      >
        <p>
          It stops working everywhere, and so do its renewals. This cannot be undone: you would need a new
          certificate.
        </p>
      </Confirm>
    </>
  );
}

function State({ certificate: { state, notAfter } }: { readonly certificate: OwnCertificateObject }) {
  if (state === 'revoked') return <Badge tone="bad">revoked</Badge>;
  if (state === 'expired') return <Badge tone="neutral">expired</Badge>;
  return Date.parse(notAfter) - Date.now() < SOON_MS ? (
    <Badge tone="warn">expires soon</Badge>
  ) : (
    <Badge tone="good">active</Badge>
  );
}

/** When it can be renewed here, in a word or two. */
function RenewalText({ certificate }: { readonly certificate: OwnCertificateObject }) {
  const { renewal, renewableFrom, state } = certificate;
  if (state !== 'living') return '–';
  switch (renewal) {
    case 'now':
      return 'now';
    case 'later':
      return <Moment at={renewableFrom} />;
    case 'renewed':
      return 'done';
    case 'never':
      return 'ask who sent you the link';
  }
}

const COLUMNS: readonly Column<OwnCertificateObject>[] = [
  {
    title: 'Device',
    cell: ({ name, commonName, account }) => (
      <>
        {name} <small className="own-of">{name === commonName ? account : `${commonName}, ${account}`}</small>
      </>
    ),
  },
  { title: 'State', cell: (certificate) => <State certificate={certificate} /> },
  { title: 'Expires', cell: ({ notAfter }) => <Moment at={notAfter} /> },
  { title: 'Renewal', cell: (certificate) => <RenewalText certificate={certificate} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
];

const KEY = ['own-certificates'] as const;
/** Time enough to ask somebody who is on holiday. */
const SOON_MS = 14 * 86_400_000;
