// What an agent's file says, its targets judged too: all that is wrong with it, each with its place, or what
// to keep up.

import type { AgentConfig } from '../../config/agent-config.ts';
import type { ConfigFault } from '../../config/config-fault.ts';
import { readAgentFile } from '../../config/load.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { parseLocalTarget } from '../../tunnel/local-target.ts';

export type ReadAgent = { readonly config: AgentConfig } | { readonly faults: readonly ConfigFault[] };

/** `hasCertificate`: one was given beside the file, and stands for the API key. Never throws. */
export function readAgent(file: string, hasCertificate: boolean): ReadAgent {
  const parsed = readAgentFile(file);
  if ('faults' in parsed) return parsed;
  const { config, locate } = parsed;
  const faults = config.shares.flatMap(({ target, insecure }, index) => {
    const path = `shares[${index}].target`;
    const found = whatIsWrong(target, insecure);
    return found === null ? [] : [{ path, ...locate(path), found, wanted: WANTED }];
  });
  if (config.apiKey === null && config.certificateFiles === null && !hasCertificate)
    faults.unshift({ path: 'api_key', ...locate('api_key'), ...NO_KEY });
  return faults.length > 0 ? { faults } : { config };
}

function whatIsWrong(target: string, insecure: boolean): string | null {
  try {
    parseLocalTarget(target, insecure);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

const NO_KEY = {
  found: 'nothing',
  wanted: 'an API key (dw_…), api_key_file, or client_certificate_file',
};
const WANTED =
  'a port (3000), http://localhost:3000, https://10.0.0.5:8443 (may set insecure) or unix:/run/app.sock';
