// What went wrong, the next step that the service names, and what to quote when asking for help.

import { ServiceError } from '../../../src/domain/service-error.ts';
import { browserHint } from './browser-hint.ts';
import { Icon } from './icons.tsx';
import { Words } from './words.tsx';

export function ProblemNote({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  const { message, hint, code, requestId } = problemOf(error);
  return (
    <div className="problem" role="alert">
      <Icon name="problem" />
      <p>
        <Words text={message} />
      </p>
      {hint !== null && (
        <p className="soft">
          <Words text={hint} />
        </p>
      )}
      {code !== null && (
        <p className="soft small">
          <code>{code}</code>
          {requestId !== null && (
            <>
              , request <code>{requestId}</code>
            </>
          )}
        </p>
      )}
      {retry !== undefined && (
        <button type="button" onClick={() => void retry()}>
          <Icon name="refresh" />
          Try again
        </button>
      )}
    </div>
  );
}

export type Problem = {
  readonly code: string | null;
  readonly message: string;
  readonly hint: string | null;
  readonly requestId: string | null;
};

export function problemOf(error: unknown): Problem {
  if (error instanceof ServiceError) {
    const requestId = error.extra['request_id'];
    return {
      code: error.code,
      message: error.message,
      hint: browserHint(error.hint),
      requestId: typeof requestId === 'string' ? requestId : null,
    };
  }
  return {
    code: null,
    message: error instanceof Error ? error.message : 'Something went wrong.',
    hint: null,
    requestId: null,
  };
}
