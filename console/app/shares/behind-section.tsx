// What a share behind a proxy of its own needs there: the configuration to copy, with its hosts filled in.

import { useState } from 'react';
import envoy from '../../../examples/forward-auth/envoy/envoy.yaml?raw';
import caddy from '../../../examples/forward-auth/caddy/Caddyfile?raw';
import haproxyScript from '../../../examples/forward-auth/haproxy/doorward.lua?raw';
import haproxy from '../../../examples/forward-auth/haproxy/haproxy.cfg?raw';
import nginx from '../../../examples/forward-auth/nginx/app.conf?raw';
import traefikRoutes from '../../../examples/forward-auth/traefik/dynamic.yaml?raw';
import traefik from '../../../examples/forward-auth/traefik/traefik.yaml?raw';
import type { ShareObject } from '../../../src/wire/share.ts';
import { Choice } from '../parts/choice.tsx';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Panel } from '../parts/panel.tsx';
import { filledIn } from './filled-in.ts';

export function BehindSection({ share: { name, url } }: { readonly share: ShareObject }) {
  const [proxy, choose] = useState<ProxyName | ''>('');
  return (
    <Panel title="Behind my own proxy">
      <p>
        Your proxy forwards requests to the app itself, and asks Doorward about each one. To let the gateway
        reach the app instead:
      </p>
      <CodeBlock
        text={`doorward share modify ${name} --no-behind --target http://127.0.0.1:3000`}
        label="the command"
      />
      <Choice label="Configuration for" value={proxy} options={OPTIONS} change={choose} />
      {proxy !== '' &&
        FILES[proxy].map(({ file, text }) => (
          <div key={file}>
            <p>
              <code>{file}</code>
            </p>
            <CodeBlock text={filledIn(text, url)} label={file} />
          </div>
        ))}
      {proxy !== '' && (
        <p className="soft">
          Replace the addresses, the paths of the certificate, and the secret of <code>forward_auth</code> in
          the configuration of Doorward. Keep every line.
        </p>
      )}
    </Panel>
  );
}

type ProxyFile = { readonly file: string; readonly text: string };
type ProxyName = 'nginx' | 'caddy' | 'haproxy' | 'traefik' | 'envoy';

const FILES: Readonly<Record<ProxyName, readonly ProxyFile[]>> = {
  nginx: [{ file: 'app.conf', text: nginx }],
  caddy: [{ file: 'Caddyfile', text: caddy }],
  haproxy: [
    { file: 'haproxy.cfg', text: haproxy },
    { file: 'doorward.lua', text: haproxyScript },
  ],
  traefik: [
    { file: 'traefik.yaml', text: traefik },
    { file: 'dynamic.yaml', text: traefikRoutes },
  ],
  envoy: [{ file: 'envoy.yaml', text: envoy }],
};
const OPTIONS = [
  { value: 'nginx', title: 'nginx' },
  { value: 'caddy', title: 'Caddy' },
  { value: 'haproxy', title: 'HAProxy' },
  { value: 'traefik', title: 'Traefik' },
  { value: 'envoy', title: 'Envoy' },
] as const;
