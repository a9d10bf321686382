// Stands where something will be in a moment.

/** `what`: what is being read, for who does not see the page. */
export function Loading({ what = 'this page' }: { readonly what?: string }) {
  return (
    <div className="loading" role="status" aria-busy="true">
      <span className="unseen">Loading {what}…</span>
      <span className="bone bone-title" />
      <span className="bone bone-block" />
    </div>
  );
}
