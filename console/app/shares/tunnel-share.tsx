// The exact commands that share something from where it runs, and the share itself as soon as it is up.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Field } from '../parts/field.tsx';
import { Note } from '../parts/note.tsx';
import { Panel } from '../parts/panel.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { AdmissionFields } from './admission-fields.tsx';
import { AwaitedShare } from './awaited-share.tsx';
import { isLocalTarget, loginCommand, publicCommand } from './tunnel-command.ts';
import { useNewAdmission } from './use-new-admission.ts';

export function TunnelShare() {
  const [target, setTarget] = useState('3000');
  const [name, setName] = useState('');
  const [draft, change] = useNewAdmission();
  return (
    <div className="columns">
      <Panel title="App">
        <div className="form">
          <Field
            label="What runs there"
            help="A port (3000), http://localhost:3000, https://10.0.0.5:8443 or unix:/run/app.sock."
            fault={isLocalTarget(target.trim()) ? undefined : 'This is not one of these.'}
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={target}
                onChange={(event) => setTarget(event.target.value)}
              />
            )}
          </Field>
          <Field
            label="Name"
            help="The share keeps this address. Empty: a random address that ends with the command."
          >
            {(control) => (
              <input
                {...control}
                autoComplete="off"
                spellCheck={false}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <AdmissionFields draft={draft} set={change} faults={{}} withRules={false} />
        </div>
      </Panel>
      <Commands command={publicCommand({ target, name, draft })} name={name.trim()} />
    </div>
  );
}

function Commands({ command, name }: { readonly command: string; readonly name: string }) {
  const mayMakeKeys = useMay()('api_keys.write');
  const status = useQuery({ queryKey: ['status'], queryFn: () => client.status() });
  const version = status.data?.version ?? 'VERSION';
  return (
    <Panel title="On that machine">
      {isOwnMachine(location.hostname) && (
        <Note tone="warn">
          <p>
            This control plane answers at {location.origin}, which other machines cannot reach. To share from
            another machine, set a public address in the configuration: <code>control.public_url</code>.
          </p>
        </Note>
      )}
      <ol className="commands">
        <li>
          <p>
            Once: install Doorward, from the package that <code>npm run pack</code> writes. It needs Node 22,
            24 or 26.
          </p>
          <CodeBlock
            text={`npm install --global doorward-${version}.tgz`}
            label="the command that installs it"
          />
        </li>
        <li>
          <p>
            Once: log in. It asks for an API key; one of scope <code>tunnel</code> can only share.{' '}
            {mayMakeKeys ? (
              <Link href={hrefTo('people', 'keys')}>Create one</Link>
            ) : (
              'An administrator of this account creates one.'
            )}
          </p>
          <CodeBlock text={loginCommand(new URL(location.origin))} label="the command that logs in" />
        </li>
        <li>
          <p>Share it, until Ctrl+C:</p>
          <CodeBlock text={command} label="the command that shares it" />
        </li>
      </ol>
      <AwaitedShare name={name} />
    </Panel>
  );
}

/** A loopback address, or a name for one (RFC 6761 section 6.3). */
function isOwnMachine(host: string): boolean {
  return host === '[::1]' || /^127\.|^(?:.*\.)?localhost$/.test(host);
}
