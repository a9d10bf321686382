// What the app behind a share can be told of whoever is logged in, beside the address.

export const IDENTITY_PARTS = ['groups', 'name', 'subject', 'claims'] as const;
export type IdentityPart = (typeof IDENTITY_PARTS)[number];

export function isIdentityPart(text: string): text is IdentityPart {
  return (IDENTITY_PARTS as readonly string[]).includes(text);
}
