// A text that people take elsewhere, with a button that copies it; an address can be opened, too.

import { type ReactNode, useState } from 'react';
import { Icon } from './icons.tsx';

type CopyTextProps = {
  readonly text: string;
  /** What it is: "the address". */
  readonly label: string;
  /** Whether it leads somewhere a browser can go. */
  readonly opens?: boolean;
};

export function CopyText({ text, label, opens = false }: CopyTextProps) {
  return (
    <span className="copy">
      {opens ? (
        <a href={text} target="_blank" rel="noreferrer">
          {text}
        </a>
      ) : (
        <code>{withBreaks(text)}</code>
      )}
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** Several lines: a command, a file. */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="code">
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <>
      <button
        type="button"
        className="quiet icon-button"
        aria-label={`Copy ${label}`}
        title={`Copy ${label}`}
        onClick={() => void copy()}
      >
        <Icon name={copied ? 'check' : 'copy'} />
      </button>
      <span className="unseen" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** A fingerprint breaks between its bytes, so that a line can be compared with another program's. */
function withBreaks(text: string): ReactNode {
  const [first = '', ...others] = text.split(BEFORE_A_BYTE);
  return [first, ...others.flatMap((part, index) => [<wbr key={index} />, part])];
}

const BEFORE_A_BYTE = /(?<=:)(?=[\dA-F]{2}(?::|$))/;
const COPIED_MS = 2_000;
