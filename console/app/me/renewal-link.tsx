// The link that renews a certificate: opened here, or on another device by its code. It is shown only once.

import { Dialog } from '@base-ui/react/dialog';
import type { OwnRenewal } from '../../../src/wire/own.ts';
import { QrCode } from '../parts/qr-code.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Moment } from '../parts/time-text.tsx';
import { UntilDone } from '../parts/until-done.tsx';

export function RenewalLink({ link, close }: { readonly link: OwnRenewal; readonly close: () => void }) {
  return (
    <UntilDone
      title="Your new certificate"
      about={
        <>
          It works once, until <Moment at={link.expiresAt} />. Whoever opens it first gets the certificate.
        </>
      }
      done={<Dialog.Close>Done</Dialog.Close>}
      close={close}
    >
      <a className="button primary" href={link.url} target="_blank" rel="noreferrer">
        Get it on this device
      </a>
      <p className="soft">Or open it on the device that will use it:</p>
      <QrCode text={link.url} label="QR code of the link" />
      <CopyText text={link.url} label="the link" />
    </UntilDone>
  );
}
