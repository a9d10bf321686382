// Keeps a fault in one page from taking the whole console with it.

import { Component, type ReactNode } from 'react';
import { Icon } from '../parts/icons.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';

type PageFaultState = { readonly error: unknown; readonly failed: boolean };

/** React catches faults of pages in classes alone. */
export class PageFault extends Component<{ readonly children: ReactNode }, PageFaultState> {
  override state: PageFaultState = { error: null, failed: false };

  static getDerivedStateFromError(error: unknown): PageFaultState {
    return { error, failed: true };
  }

  override render(): ReactNode {
    const { error, failed } = this.state;
    if (!failed) return this.props.children;
    if (isGone(error)) return <NewerVersion />;
    return <ProblemNote error={error} retry={() => location.reload()} />;
  }
}

function NewerVersion() {
  return (
    <PageHead
      title="A new version is available"
      about="The service was upgraded while this page was open. Reload it to continue."
    >
      <button type="button" className="primary" onClick={() => location.reload()}>
        <Icon name="refresh" />
        Reload
      </button>
    </PageHead>
  );
}

/**
 * What browsers say when a part of the program cannot be fetched: after an upgrade, its old name names
 * nothing.
 */
function isGone(error: unknown): boolean {
  return (
    error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message)
  );
}
