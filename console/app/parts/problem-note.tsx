// What went wrong, with the next step that the service names.

import { ServiceError } from '../../../src/domain/service-error.ts';

export function ProblemNote({ error, retry }: { readonly error: unknown; readonly retry?: () => unknown }) {
  const { message, hint } = problemOf(error);
  return (
    <div className="problem" role="alert">
      <p>{message}</p>
      {hint !== null && <p className="soft">{hint}</p>}
      {retry !== undefined && (
        <button type="button" onClick={() => void retry()}>
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
};

export function problemOf(error: unknown): Problem {
  if (error instanceof ServiceError) return { code: error.code, message: error.message, hint: error.hint };
  return {
    code: null,
    message: error instanceof Error ? error.message : 'Something went wrong.',
    hint: null,
  };
}
