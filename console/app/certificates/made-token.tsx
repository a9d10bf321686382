// A request token that was just made: link, QR code and a message to send. It is shown this once, since the
// service keeps a hash alone.

import { useEffect, useRef } from 'react';
import type { MadeToken } from '../../../src/wire/certificate.ts';
import { CodeBlock, CopyText } from '../parts/copy-text.tsx';
import { mailLink } from '../parts/mail-link.ts';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link } from '../router.tsx';
import { QrCode } from '../parts/qr-code.tsx';

type MadeTokenPageProps = { readonly token: MadeToken; readonly another: () => void };

export function MadeTokenPage({ token, another }: MadeTokenPageProps) {
  const start = useRef<HTMLDivElement>(null);
  // Whoever pressed the button by keyboard or hears the page goes on here.
  useEffect(() => start.current?.focus(), []);
  const { commonName, redeemUrl, message, emailAddress, expiresAt, validity } = token;
  const mail = { to: emailAddress, subject: `Your certificate for ${commonName}`, body: message };
  return (
    <>
      <div ref={start} tabIndex={-1} className="made">
        <PageHead
          title={`A link for ${commonName}`}
          back={{ title: 'Request tokens', href: hrefTo('certificates', 'tokens') }}
          about={`It is valid for one certificate, which is valid for ${validity}.`}
        >
          <button type="button" onClick={another}>
            Create another
          </button>
          <Link className="button primary" href={hrefTo('certificates', 'tokens')}>
            I have sent it
          </Link>
        </PageHead>
      </div>
      <Note tone="warn">
        <p>
          <strong>The link is shown only once, and works once.</strong> It expires <Moment at={expiresAt} />.
          Whoever opens it first gets the certificate, so send it over a secure channel.
        </p>
      </Note>
      <div className="made-parts">
        <Panel
          title="A message to send"
          actions={
            <a className="button" href={mailLink(mail)}>
              Write an email
            </a>
          }
        >
          <CodeBlock text={message.trim()} label="the message" />
        </Panel>
        <Panel title="Only the link" about="Or its QR code, for a phone beside you.">
          <QrCode text={redeemUrl} label={`QR code of the link for ${commonName}`} />
          <CopyText text={redeemUrl} label="the link" />
        </Panel>
      </div>
    </>
  );
}
