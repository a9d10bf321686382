// Why there is no certificate, and what to do about it: a text for each code that the service answers, and
// for what the page finds out itself.

import type { Redemption } from './redeem.ts';

export type Advice = {
  readonly title: string;
  readonly text: string;
  /** Whether the link is good for nothing more, so that another is asked for. */
  readonly linkIsOver: boolean;
};

export function adviceFor(outcome: Exclude<Redemption, { readonly kind: 'issued' }>): Advice {
  if (outcome.kind === 'unheard') return UNHEARD;
  const { code, reason, retryAfterSeconds, status } = outcome;
  if (code === 'csr_refused') return csrRefused(reason);
  if (code === 'rate_limited') return rateLimited(retryAfterSeconds);
  return ADVICE[code] ?? (status >= 500 ? UNWELL : STRANGE);
}

function csrRefused(reason: string | null): Advice {
  const found = reason === null ? 'It cannot be read.' : `It is ${reason}.`;
  return {
    title: 'The request cannot be signed',
    text: `${found} Your link is still valid: correct the request, or let this browser create one. Supported keys are RSA with 2048 to 4096 bits, P-256, P-384 and Ed25519.`,
    linkIsOver: false,
  };
}

function rateLimited(seconds: number | null): Advice {
  return {
    title: 'Too many tries',
    text: `Your link is still valid. Wait ${seconds === null ? 'a minute' : `${seconds} seconds`}, then try again.`,
    linkIsOver: false,
  };
}

/** For what the page finds out before anything is sent. */
export const FINDINGS = {
  'no-token': {
    title: 'The link is not complete',
    text: 'Copy it again, from beginning to end. The code in it begins with crt_ and has 47 characters.',
    linkIsOver: true,
  },
  empty: {
    title: 'There is no request yet',
    text: 'Choose its file, or paste its text: from -----BEGIN CERTIFICATE REQUEST----- to the line that begins with -----END.',
    linkIsOver: false,
  },
  'no-request': {
    title: 'This is not a request',
    text: 'A certificate signing request begins with -----BEGIN CERTIFICATE REQUEST-----. Paste all of it, or choose its file.',
    linkIsOver: false,
  },
  'too-large': {
    title: 'The file is too large for a request',
    text: 'A certificate signing request has a few kilobytes. Choose the right file.',
    linkIsOver: false,
  },
  'private-key': {
    title: 'This is a private key',
    text: 'It was not sent. Keep it private, and choose the certificate signing request (CSR) that was created with it.',
    linkIsOver: false,
  },
  'no-crypto': {
    title: 'This browser cannot create a key',
    text: 'It is too old, or the connection is not encrypted. Use another browser, or your own request.',
    linkIsOver: false,
  },
  'not-packed': {
    title: 'The file could not be created',
    text: 'Your certificate is issued, but this browser could not create the file. Press the button again; this does not use up the link.',
    linkIsOver: false,
  },
} as const satisfies Readonly<Record<string, Advice>>;

const ADVICE: Readonly<Record<string, Advice>> = {
  token_unknown: {
    title: 'This link is not valid here',
    text: 'Either it is not complete, or it was deleted. Copy it again from beginning to end; if it is complete, ask the person who sent it for a new one.',
    linkIsOver: true,
  },
  token_used: {
    title: 'This link was used',
    text: 'It is valid for one certificate. If you did not use it yourself, somebody else did: tell the person who sent it at once, so that they revoke the certificate. Otherwise ask for a new link.',
    linkIsOver: true,
  },
  token_expired: {
    title: 'This link has expired',
    text: 'It was not used in time. Ask the person who sent it for a new one.',
    linkIsOver: true,
  },
  policy_violation: {
    title: 'The rules changed',
    text: 'The rules of the organization no longer allow what this link is for. Ask the person who sent it for a new one.',
    linkIsOver: true,
  },
  insecure_channel: {
    title: 'This connection is not encrypted',
    text: 'Certificates are issued only over encrypted connections. Your link is still valid: tell the person who sent it that this page must be served over https.',
    linkIsOver: false,
  },
  store_unavailable: {
    title: 'The service is unavailable',
    text: 'Leave this page open and try again in a moment. This does not use up the link.',
    linkIsOver: false,
  },
};

const UNHEARD: Advice = {
  title: 'There was no answer',
  text: 'Leave this page open, check your connection, and try again within ten minutes: even if this used your link, the same key gets its certificate.',
  linkIsOver: false,
};

const UNWELL: Advice = {
  title: 'Something went wrong at the service',
  text: 'Leave this page open and try again in a moment. This does not use up the link.',
  linkIsOver: false,
};

const STRANGE: Advice = {
  title: 'The service did not take the request',
  text: 'Try again. If it fails again, send the request id to the person who sent your link.',
  linkIsOver: false,
};
