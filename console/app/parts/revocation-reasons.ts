// Why a certificate is revoked, as the CRL says it, and in words.

export const REASONS = {
  unspecified: 'not said',
  key_compromise: 'the key may be compromised',
  affiliation_changed: 'the holder left, or has another role',
  superseded: 'another certificate replaced it',
  cessation_of_operation: 'it is no longer needed',
} as const;

export type Reason = keyof typeof REASONS;

export function isReason(text: string): text is Reason {
  return Object.hasOwn(REASONS, text);
}

export const REASON_ABOUT = 'It is published on the CRL.';
