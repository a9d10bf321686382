// A form that is sent to the API: one button, one answer, and each fault beside its field.

import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { type Faults, faultsOf } from './faults.ts';
import { FormProblem } from './form-problem.tsx';
import { Working } from './working.tsx';

type FormProps = {
  readonly action: string;
  readonly send: () => Promise<unknown>;
  readonly children: (faults: Faults) => ReactNode;
  /** Beside the button that sends: a way back. */
  readonly cancel?: ReactNode;
};

export function Form({ action, send, children, cancel }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setSending(true);
    setError(null);
    try {
      await send();
    } catch (problem) {
      setError(problem);
    } finally {
      setSending(false);
    }
  };
  return (
    <form ref={form} className="form" onSubmit={(event) => void submit(event)}>
      {children(faultsOf(error))}
      {error !== null && <FormProblem error={error} form={form} />}
      <div className="actions">
        {cancel}
        <button type="submit" className="primary" disabled={isSending} aria-busy={isSending}>
          {isSending && <Working />}
          {action}
        </button>
      </div>
    </form>
  );
}

type FormSectionProps = { readonly title: string; readonly about?: string; readonly children: ReactNode };

/** Fields that belong together. */
export function FormSection({ title, about, children }: FormSectionProps) {
  return (
    <div className="form-section" role="group" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {about !== undefined && <p className="soft">{about}</p>}
      </header>
      {children}
    </div>
  );
}
