// `GET /<provider>/who-to-ask`: who answers for a share that refused somebody, where it takes no requests for
// access. The gateway, which reads no database, only links here. It believes the sealed statement alone,
// reads no cookie, and changes nothing.

import type { Answer } from '../http/answer.ts';
import { renderPage } from '../http/page.ts';
import type { Provider } from '../providers/provider.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { refusalFacts, refusedPerson } from './refused-person.ts';

/** Throws as `refusedPerson()`. */
export async function whoToAsk(
  deps: LoginDeps,
  provider: Provider,
  { query, requestId }: LoginHttpRequest,
): Promise<Answer> {
  const refused = refusedPerson(deps, provider, {
    sealed: query.get('statement') ?? '',
    act: 'show the owner',
  });
  const { details, owner } = await refusalFacts(deps, provider, refused);
  const whom = owner === null ? 'whoever gave you this address' : 'the owner';
  const paragraphs = [`To get access, ask ${whom}, and say which address you log in with.`];
  return renderPage(
    {
      status: 200,
      tone: 'info',
      title: 'Who to ask for access',
      paragraphs,
      details,
      actions: [],
      requestId,
    },
    deps.brand,
  );
}
