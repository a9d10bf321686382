// How a receiver knows that a delivery is ours: what is signed, and a few lines that check it.

import { CodeBlock } from '../parts/copy-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { hrefTo } from '../router.tsx';

export function VerifyPage() {
  return (
    <>
      <PageHead
        title="Check the signature"
        about="Anyone who knows the URL of a receiver can post to it. The signature proves which events are genuine."
        back={{ title: 'Webhooks', href: hrefTo('webhooks') }}
      />
      <Panel title="Payload">
        <p>
          A POST with the event as JSON. The header <code>svc-webhook-signature</code> is{' '}
          <code>t=SECONDS,v1=HMAC</code>: the HMAC-SHA256, in hex, of the time, a dot, and the body exactly as
          it came; its key is the whole secret, <code>whs_…</code>. During a rotation there are several{' '}
          <code>v1</code>, one for each secret: one that matches is enough.
        </p>
        <p>
          Compare in constant time, refuse a time more than five minutes off, and remember{' '}
          <code>svc-webhook-id</code>: a delivery may come more than once.
        </p>
        <p>
          Answer 2xx within ten seconds. Doorward retries anything else, less and less often, for about a day.
        </p>
      </Panel>
      <Panel title="With Node only">
        <CodeBlock text={EXAMPLE} label="the example" />
      </Panel>
    </>
  );
}

const EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// header: svc-webhook-signature; body: a Buffer, as it came.
export function isGenuine(secret, header, body, now = Date.now()) {
  const [, time, list] = /^t=(\\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(header ?? '') ?? [];
  if (list === undefined || Math.abs(now / 1000 - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret).update(\`\${time}.\`).update(body).digest();
  const macs = list.slice(1).split(',');
  return macs.some((mac) => timingSafeEqual(expected, Buffer.from(mac.slice('v1='.length), 'hex')));
}
`;
