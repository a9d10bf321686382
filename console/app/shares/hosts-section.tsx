// The addresses of a share: its own, and host names of the account's that it is to answer at once they are
// proved.

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { HostObject } from '../../../src/wire/host.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field } from '../parts/field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { useMay } from '../shell/session-context.ts';
import { DELETE_HOSTS, HOST_GONE, HostBadge, useHostsChanged } from './host-acts.tsx';

export function HostsSection({ share }: { readonly share: ShareObject }) {
  const may = useMay();
  const list = useList(['hosts', share.id], (cursor) =>
    client.hosts.list({ share: share.id, cursor, limit: PAGE }),
  );
  return (
    <Panel
      title="Host names"
      about="Where the share answers. You verify your own host names with a DNS record."
      actions={may('shares.write') && <NewHost share={share} />}
    >
      <ul className="hosts">
        <li>
          <span>
            <code>{share.hosts[0]}</code> <span className="soft">default</span>
          </span>
        </li>
        {list.items.map((host) => (
          <Host key={host.id} host={host} />
        ))}
      </ul>
      {list.error !== null && <ProblemNote error={list.error} retry={list.again} />}
    </Panel>
  );
}

function Host({ host }: { readonly host: HostObject }) {
  const may = useMay();
  const changed = useHostsChanged();
  const tell = useTell();
  const verify = useMutation({
    mutationFn: () => client.hosts.verify(host.id),
    onSuccess: async () => {
      await changed();
      tell(`${host.host} is verified`, 'The share answers there now.');
    },
  });
  const remove = async () => {
    await client.hosts.remove(host.id);
    await changed();
  };
  return (
    <li>
      <div className="head">
        <span>
          <code>{host.host}</code> <HostBadge host={host} />
        </span>
        {may('shares.write') && (
          <Confirm
            quiet
            label="Delete"
            about={`Delete ${host.host}`}
            title={DELETE_HOSTS.question([host])}
            action="Delete"
            run={remove}
          >
            <p>{HOST_GONE}</p>
          </Confirm>
        )}
      </div>
      {host.state === 'pending' && (
        <>
          <p>
            Create this TXT record in the DNS of <code>{host.host}</code>, then verify. A new record can take
            minutes to become visible.
          </p>
          <Facts
            facts={[
              {
                title: 'Name',
                value: <CopyText text={host.challenge.name} label="the name of the record" />,
              },
              {
                title: 'Value',
                value: <CopyText text={host.challenge.value} label="the value of the record" />,
              },
            ]}
          />
          {may('shares.write') && (
            <p>
              <button type="button" disabled={verify.isPending} onClick={() => verify.mutate()}>
                Verify {host.host}
              </button>
            </p>
          )}
          {verify.isError && <ProblemNote error={verify.error} />}
        </>
      )}
    </li>
  );
}

function NewHost({ share }: { readonly share: ShareObject }) {
  const [host, setHost] = useState('');
  const changed = useHostsChanged();
  const send = async () => {
    await client.hosts.create({ host: host.trim(), share: share.id });
    await changed();
    setHost('');
  };
  return (
    <FormDialog
      primary={false}
      label="Add a host"
      title={`Add your own host to ${share.name}`}
      about="You verify it with a DNS record, which is shown next. Also point the host at the gateway."
      action="Add"
      send={send}
    >
      {(faults) => (
        <Field label="Host name" help="Such as app.example.com." fault={faults['host']}>
          {(control) => (
            <input
              {...control}
              required
              autoComplete="off"
              spellCheck={false}
              value={host}
              onChange={(event) => setHost(event.target.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  );
}

/** More than a share can have. */
const PAGE = 50;
