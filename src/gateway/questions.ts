// Questions to the main thread, numbered, each with an end: who asks always gets an answer.

import type { FromWorker, WorkerAnswer, WorkerQuestion } from './messages.ts';

export type Questions = {
  readonly ask: (question: WorkerQuestion) => Promise<WorkerAnswer>;
  readonly answer: (id: number, answer: WorkerAnswer) => void;
};

export function createQuestions(post: (message: FromWorker) => void): Questions {
  const waiting = new Map<number, (answer: WorkerAnswer) => void>();
  let asked = 0;
  const answer = (id: number, given: WorkerAnswer) => {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(given);
  };
  return {
    answer,
    ask: (question) => {
      // A crowd of strangers must not grow this table without end.
      if (waiting.size >= MAX_WAITING) return Promise.resolve({ kind: 'unavailable' });
      const id = ++asked;
      const { promise, resolve } = Promise.withResolvers<WorkerAnswer>();
      const timer = setTimeout(() => answer(id, { kind: 'unavailable' }), ANSWER_LIMIT_MS).unref();
      waiting.set(id, (given) => {
        clearTimeout(timer);
        resolve(given);
      });
      post({ type: 'question', id, question });
      return promise;
    },
  };
}

/** A check may wait for another gateway's lease (15 s) and then ask the provider (10 s). */
const ANSWER_LIMIT_MS = 30_000;
const MAX_WAITING = 10_000;
