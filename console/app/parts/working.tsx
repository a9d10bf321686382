// Inside a button whose work is under way. The button says it in its own state.

export function Working() {
  return <span className="spinner" aria-hidden="true" />;
}
