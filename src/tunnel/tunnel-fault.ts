// Why no connection to a share's target could be had. Where the visitor is to be told something particular,
// the cause is a `ServiceError`; detail is for the log.

import { ServiceError } from '../domain/service-error.ts';

export class TunnelFault extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
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
