// The commands about certificates.

import type { Command } from 'commander';
import { addCaRotate } from './ca-rotate.ts';
import { addCaShow } from './ca-show.ts';
import { addCertInspect } from './inspect.ts';
import { addCertList } from './list.ts';
import { addCertPolicySet } from './policy-set.ts';
import { addCertPolicyShow } from './policy-show.ts';
import { addCertRenew } from './renew.ts';
import { addCertRequest } from './request.ts';
import { addCertRevoke } from './revoke.ts';
import { addCertTokenCreate } from './token-create.ts';
import { addCertTokenDelete } from './token-delete.ts';
import { addCertTokenList } from './token-list.ts';
import type { Terminal } from '../terminal.ts';

export function addCertificateCommands(program: Command, terminal: Terminal): void {
  const cert = program.command('cert').description('certificates of people and services');
  const token = cert.command('token').description('what is good for one certificate');
  addCertTokenCreate(token, terminal);
  addCertTokenList(token, terminal);
  addCertTokenDelete(token, terminal);
  addCertRequest(cert, terminal);
  addCertList(cert, terminal);
  addCertInspect(cert, terminal);
  addCertRenew(cert, terminal);
  addCertRevoke(cert, terminal);
  const policy = cert.command('policy').description('what the account’s certificates may say, and how long');
  addCertPolicyShow(policy, terminal);
  addCertPolicySet(policy, terminal);
  const ca = program.command('ca').description('the authority that signs the account’s certificates');
  addCaShow(ca, terminal);
  addCaRotate(ca, terminal);
}
