// Text of our own with marks: **as it is on the screen**, `as it is typed`, [a page](https://elsewhere), and
// {places} for what is filled in.

import { Fragment, type ReactNode } from 'react';

type MarkedTextProps = {
  readonly text: string;
  /** What stands in place of `{name}`; a place that has nothing stays as it is. */
  readonly places?: Readonly<Record<string, ReactNode>>;
};

export function MarkedText({ text, places = {} }: MarkedTextProps) {
  const parts = text.split(MARKED).filter((part) => part !== '');
  return parts.map((part, index) => <Fragment key={`${index} ${part}`}>{partOf(part, places)}</Fragment>);
}

function partOf(part: string, places: Readonly<Record<string, ReactNode>>): ReactNode {
  if (part.startsWith('**')) return <b>{part.slice(2, -2)}</b>;
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>;
  const [, title, address] = LINK.exec(part) ?? [];
  if (address !== undefined)
    return (
      <a href={address} target="_blank" rel="noreferrer noopener">
        {title}
      </a>
    );
  return part.startsWith('{') ? (places[part.slice(1, -1)] ?? part) : part;
}

const MARKED = /(\*\*[^*]+\*\*|`[^`]+`|\[[^\]]+\]\(https:[^)]+\)|\{\w+\})/;
const LINK = /^\[([^\]]+)\]\((https:[^)]+)\)$/;
