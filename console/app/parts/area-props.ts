/** What the page of an area is given. `path`: what follows the area's name in the address. */
export type AreaProps = { readonly path: readonly string[] };
