// Why no connection to a share's target could be had. What the visitor is to be told in particular is a
// `ServiceError`; any other is for the log.

import { ServiceError } from '../domain/service-error.ts';

export class TunnelFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TunnelFault';
  }
}

export function agentAway(): ServiceError {
  return new ServiceError('agent_away', 'Cannot forward a request: no agent serves this share');
}

export function agentBusy(): ServiceError {
  return new ServiceError('agent_busy', 'Cannot forward a request: its agents take no more at once');
}

export function agentSlow(): ServiceError {
  return new ServiceError('backend_timeout', 'Cannot forward a request: its agent opens no connection');
}
