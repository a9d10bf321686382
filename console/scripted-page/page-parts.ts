// The parts of the page by their ids, and what is done to them. Text is text here, never markup.

/** Throws when the page has no such part. */
export function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}`);
  return found;
}

export function say(id: string, text: string): void {
  part(id, HTMLElement).textContent = text;
}

export function show(id: string, shown: boolean): void {
  part(id, HTMLElement).hidden = !shown;
}

export function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Lets a link save these bytes under that name. They stay in this browser. */
export function offer(id: string, content: Uint8Array<ArrayBuffer> | string, { name, type }: SavedAs): void {
  const link = part(id, HTMLAnchorElement);
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
}

export type SavedAs = { readonly name: string; readonly type: string };
