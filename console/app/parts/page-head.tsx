// The top of a page: where it belongs, what it is, and what can be done here.

import { type ReactNode, useEffect } from 'react';
import { Link } from '../router.tsx';
import { Icon } from './icons.tsx';

type PageHeadProps = {
  readonly title: string;
  /** One sentence on what the page is for. */
  readonly about?: ReactNode;
  /** The list that this is one of. */
  readonly back?: { readonly title: string; readonly href: string };
  /** A state beside the title. */
  readonly badge?: ReactNode;
  /** What can be done: at most one primary button. */
  readonly children?: ReactNode;
};

export function PageHead({ title, about, back, badge, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} – Doorward`;
  }, [title]);
  return (
    <>
      {back !== undefined && (
        <Link className="back" href={back.href}>
          <Icon name="back" />
          {back.title}
        </Link>
      )}
      <div className="head">
        <div className="head-text">
          <div className="head-title">
            <h1>{title}</h1>
            {badge}
          </div>
          {about !== undefined && <p>{about}</p>}
        </div>
        {children !== undefined && <div className="head-actions">{children}</div>}
      </div>
    </>
  );
}
