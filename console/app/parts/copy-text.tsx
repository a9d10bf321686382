// A text that people take elsewhere, with a button that copies it.

import { useState } from 'react';

export function CopyText({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <span className="copy">
      <code>{text}</code>
      <button type="button" className="quiet" aria-label={`Copy ${label}`} onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </span>
  );
}

const COPIED_MS = 2_000;
