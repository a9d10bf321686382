// The gateways that live, as the control API shows them (DESIGN "Tunnel").

export type GatewayObject = {
  readonly id: string;
  /** Origin at which agents open their tunnels. Gateways behind one balancer share it. */
  readonly tunnelUrl: string;
  /** How many threads it serves with: an agent holds a connection to each. */
  readonly workers: number;
  readonly version: string;
  readonly startedAt: string;
};

export type GatewayList = { readonly items: readonly GatewayObject[] };
