// How long a share that agents serve is kept.

/**
 * A share that agents serve through tunnels: one that is gone with its agent, or one that is kept and served
 * again.
 */
export const TUNNEL_KINDS = ['ephemeral', 'reserved'] as const;
export type TunnelKind = (typeof TUNNEL_KINDS)[number];
