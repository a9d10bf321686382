// `doorward cert` and `doorward ca`, in the order of their help.

import { noun } from '../command.ts';
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
import { addCertTokenCreateMany } from './token-create-many.ts';
import { addCertTokenDelete } from './token-delete.ts';
import { addCertTokenList } from './token-list.ts';

const addTokenCommands = noun('token', 'certificate request tokens, each valid for one certificate', [
  addCertTokenCreate,
  addCertTokenCreateMany,
  addCertTokenList,
  addCertTokenDelete,
]);

const addPolicyCommands = noun('policy', 'rules for the account’s certificates', [
  addCertPolicyShow,
  addCertPolicySet,
]);

export const addCertCommands = noun('cert', 'certificates of people and services', [
  addTokenCommands,
  addCertRequest,
  addCertList,
  addCertInspect,
  addCertRenew,
  addCertRevoke,
  addPolicyCommands,
]);

export const addCaCommands = noun('ca', 'the certificate authority that signs the account’s certificates', [
  addCaShow,
  addCaRotate,
]);
