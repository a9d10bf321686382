// A certificate's state, with what is over soon told from what is good for long.

import type { CertificateObject } from '../../../src/wire/certificate.ts';
import { Badge } from '../parts/badge.tsx';
import { shownState, STATE_WORDS } from './certificate-text.ts';

export function StateBadge({ certificate }: { readonly certificate: CertificateObject }) {
  const state = shownState(certificate, Date.now());
  return <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>;
}

const TONES = { active: 'good', soon: 'warn', expired: 'neutral', revoked: 'bad' } as const;
