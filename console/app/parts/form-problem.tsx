// Why a form was not taken, said once: what stands beside its field is not repeated below the form.

import { type RefObject, useEffect, useState } from 'react';
import { faultsOf } from './faults.ts';
import { Icon } from './icons.tsx';
import { ProblemNote } from './problem-note.tsx';

type FormProblemProps = {
  readonly error: unknown;
  readonly form: RefObject<HTMLFormElement | null>;
};

export function FormProblem({ error, form }: FormProblemProps) {
  const [isMarked, setMarked] = useState(false);
  useEffect(() => setMarked(isAllMarked(error, form.current)), [error, form]);
  if (!isMarked) return <ProblemNote error={error} />;
  return (
    <div className="problem" role="alert">
      <Icon name="problem" />
      <p>Not saved. Correct the marked fields.</p>
    </div>
  );
}

/** Whether each fault is read beside a field already. */
function isAllMarked(error: unknown, form: HTMLFormElement | null): boolean {
  const faults = Object.values(faultsOf(error));
  const marks = [...(form?.querySelectorAll('.fault') ?? [])].map(({ textContent }) => plain(textContent));
  return faults.length > 0 && faults.every((fault) => marks.some((mark) => mark.includes(plain(fault))));
}

/** As it is read: marks of code are none. */
function plain(text: string): string {
  return text.replaceAll(/[`\s]+/g, ' ').trim();
}
