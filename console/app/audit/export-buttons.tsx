// Takes the events of the filter along as a file.

import { useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { Icon } from '../parts/icons.tsx';
import { problemOf } from '../parts/problem-note.tsx';
import { useTell } from '../parts/toast.tsx';
import { useMember } from '../shell/session-context.ts';
import { EXPORT_TYPES, exportEvents, type ExportForm, exportName, MOST_EVENTS } from './audit-export.ts';
import type { AuditInput } from './audit-input.ts';

export function ExportButtons({ input }: { readonly input: AuditInput }) {
  const tell = useTell();
  const { account } = useMember();
  const [count, setCount] = useState<number | null>(null);
  const work = useRef<AbortController>(null);
  const run = async (form: ExportForm) => {
    const { signal } = (work.current = new AbortController());
    setCount(0);
    try {
      const { list } = client.auditEvents;
      const made = await exportEvents(form, input, { list, progress: setCount, signal });
      if (made === null) return tell('The export was stopped');
      save(
        new Blob([...made.parts], { type: EXPORT_TYPES[form] }),
        exportName(form, account.name, new Date()),
      );
      tell(`${shown(made.count)} exported`, made.isCut ? CUT : undefined);
    } catch (error) {
      const { message, hint } = problemOf(error);
      tell('Nothing was exported', hint === null ? message : `${message} ${hint}`);
    } finally {
      setCount(null);
    }
  };
  if (count !== null)
    return (
      <>
        <span className="soft" role="status">
          Reading: {shown(count)}…
        </span>
        <button type="button" onClick={() => work.current?.abort()}>
          Stop
        </button>
      </>
    );
  return (
    <>
      <button type="button" onClick={() => void run('csv')}>
        <Icon name="download" /> CSV
      </button>
      <button type="button" onClick={() => void run('jsonl')}>
        <Icon name="download" /> NDJSON
      </button>
    </>
  );
}

function shown(count: number): string {
  return count === 1 ? '1 event' : `${count.toLocaleString('en')} events`;
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED_MS);
}

const CUT = `The file contains only the newest ${MOST_EVENTS.toLocaleString('en')} events. For the others, choose a shorter time.`;
/** The browser has taken the file by then. */
const SAVED_MS = 60_000;
