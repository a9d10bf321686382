/** One that waits for an answer keeps the floor: no key of the page counts meanwhile. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], .dialog') !== null;
}
