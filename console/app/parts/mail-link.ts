// A link that opens a new message in the visitor's own mail program, with everything in it but the sending.

type Mail = { readonly to: string | null; readonly subject: string; readonly body: string };

/** RFC 6068: each part percent-encoded, lines ended by CR LF. */
export function mailLink({ to, subject, body }: Mail): string {
  const lines = body.replace(/\r?\n/g, '\r\n');
  return `mailto:${to === null ? '' : encodeURIComponent(to)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(lines)}`;
}
