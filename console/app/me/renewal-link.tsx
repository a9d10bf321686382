// The link that renews a certificate: opened here, or on another device by its code. It is shown this once.

import { Dialog } from '@base-ui/react/dialog';
import type { OwnRenewal } from '../../../src/wire/own.ts';
import { QrCode } from '../parts/qr-code.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Moment } from '../parts/time-text.tsx';

export function RenewalLink({ link, close }: { readonly link: OwnRenewal; readonly close: () => void }) {
  return (
    // Nothing but the button closes it: what it shows cannot be had again.
    <Dialog.Root
      open
      disablePointerDismissal
      onOpenChange={(_open, { reason }) => reason === 'close-press' && close()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <div className="dialog-head">
            <Dialog.Title>Your new certificate</Dialog.Title>
            <Dialog.Description>
              It works once, until <Moment at={link.expiresAt} />. Whoever opens it first gets the
              certificate.
            </Dialog.Description>
          </div>
          <a className="button primary" href={link.url} target="_blank" rel="noreferrer">
            Get it on this device
          </a>
          <p className="soft">Or open it on the device that will use it:</p>
          <QrCode text={link.url} label="QR code of the link" />
          <CopyText text={link.url} label="the link" />
          <div className="actions">
            <Dialog.Close>Done</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
