// Where an agent dials. Gateways that share an address, behind a balancer, are one place with the workers of
// all of them.

export type GatewayPlace = {
  readonly url: URL;
  /** How many connections are to be held there; more, when a worker says so. */
  readonly workers: number;
};

/** What `GET /v1/gateways` lists, by address. Throws for an address that is none. */
export function placesOf(
  gateways: readonly { readonly tunnelUrl: string; readonly workers: number }[],
): readonly GatewayPlace[] {
  const workers = new Map<string, number>();
  for (const gateway of gateways) {
    const { origin } = new URL(gateway.tunnelUrl);
    workers.set(origin, (workers.get(origin) ?? 0) + gateway.workers);
  }
  return Array.from(workers, ([origin, count]) => ({ url: new URL(origin), workers: count }));
}
