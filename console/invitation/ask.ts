// The one call that this page makes: the invitation goes out in its body, and what one may log in with comes
// back, or where to go on.

import type { Advice } from '../scripted-page/problem.ts';

export type Answer =
  | { readonly kind: 'known'; readonly providers: readonly InvitedWay[]; readonly url: string | null }
  | { readonly kind: 'refused'; readonly advice: Advice; readonly requestId: string | null };

export type InvitedWay = { readonly name: string; readonly displayName: string };

export async function ask(asked: {
  readonly invitation: string;
  readonly provider?: string;
}): Promise<Answer> {
  try {
    const answer = await fetch('/auth/invitation', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(asked),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const document = (await answer.json()) as Readonly<Record<string, unknown>>;
    if (!answer.ok) return refusal(document);
    const { providers, displayNames, url } = document;
    return {
      kind: 'known',
      providers: waysOf(textsIn(providers), textsIn(displayNames)),
      url: typeof url === 'string' ? url : null,
    };
  } catch {
    return { kind: 'refused', advice: UNHEARD, requestId: null };
  }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function waysOf(names: readonly string[], displayNames: readonly string[]): readonly InvitedWay[] {
  return names.map((name, index) => ({ name, displayName: displayNames[index] ?? name }));
}

function refusal({ code, title, hint, request_id: requestId }: Readonly<Record<string, unknown>>): Answer {
  const advice = {
    title: typeof title === 'string' ? title : UNHEARD.title,
    text: typeof hint === 'string' ? hint : (ADVICE[String(code)] ?? UNHEARD.text),
  };
  return { kind: 'refused', advice, requestId: typeof requestId === 'string' ? requestId : null };
}

const UNHEARD: Advice = {
  title: 'That did not work',
  text: 'Nothing was changed. Open your link again in a minute.',
};
const ADVICE: Readonly<Record<string, string>> = {
  rate_limited: 'Too many invitations failed from your network. Wait a minute, then open your link again.',
  invitation_invalid: 'Ask whoever invited you for a new one.',
};
/** Long enough for a service that is busy. */
const PATIENCE_MS = 30_000;
