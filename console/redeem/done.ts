// The certificate is there: what to save, and how to install it.

import { DEVICES } from './devices.ts';
import { fileNameFor, nameIn, type PackedKey } from './key-store.ts';
import { element, offer, part, say, show } from '../scripted-page/page-parts.ts';
import type { Redemption } from './redeem.ts';

export type Issued = Extract<Redemption, { readonly kind: 'issued' }>;

/** `packed` is null for whoever has the key elsewhere. */
export function showDone(issued: Issued, packed: PackedKey | null, deviceId: string): void {
  const name = nameIn(issued.certificate);
  const file = fileNameFor(name);
  say('done-name', name);
  say('done-until', new Date(issued.notAfter).toLocaleString(undefined, UNTIL));
  offer('save-certificate', issued.certificate, { name: `${file}.cert.pem`, type: PEM });
  offer('save-chain', issued.chain, { name: `${file}.chain.pem`, type: PEM });
  show('done-browser', packed !== null);
  part('done-files', HTMLDetailsElement).open = packed === null;
  if (packed !== null) showStore(packed, file, deviceId);
  say('title', 'Your certificate is ready');
  show('done-step', true);
  part('title', HTMLElement).focus();
}

function showStore({ files, passphrase }: PackedKey, base: string, deviceId: string): void {
  const device = DEVICES.find(({ id }) => id === deviceId) ?? DEVICES[0];
  const older = device?.older === true;
  const name = `${base}.p12`;
  say('passphrase', passphrase);
  offer('save-store', older ? files.older : files.current, { name, type: STORE });
  offer('save-other', older ? files.current : files.older, { name: `${base}-other.p12`, type: STORE });
  say('save-store', `Save ${name}`);
  say('install-for', `On ${device?.name ?? ''}:`);
  const steps = device?.steps ?? [];
  part('install-steps', HTMLElement).replaceChildren(
    ...steps.map((step) => element('li', step.replace('FILE', name))),
  );
}

const STORE = 'application/x-pkcs12';
const PEM = 'application/x-pem-file';
const UNTIL = { dateStyle: 'long', timeStyle: 'short' } as const;
