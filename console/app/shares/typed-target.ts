// A target as people type it, and as the API takes it: `3000`, `localhost:3000`, `http://10.0.0.5:8080/`.

/** What cannot be understood is handed on as it is, for the API to say what is wrong with it. */
export function typedTarget(typed: string): string {
  const text = typed.trim();
  if (/^\d{1,5}$/.test(text)) return `http://localhost:${text}`;
  const address = text.includes('://') || text === '' ? text : `http://${text}`;
  return address.replace(/\/$/, '');
}
