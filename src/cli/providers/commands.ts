// `doorward provider`, in the order of its help.

import { noun } from '../command.ts';
import { addProviderCreate } from './create.ts';
import { addProviderDelete } from './delete.ts';
import { addProviderList } from './list.ts';
import { addProviderModify } from './modify.ts';
import { addProviderPresets } from './presets.ts';
import { addProviderShow } from './show.ts';
import { addProviderTest } from './try.ts';

export const addProviderCommands = noun('provider', 'identity providers that the account defines', [
  addProviderCreate,
  addProviderPresets,
  addProviderList,
  addProviderShow,
  addProviderModify,
  addProviderTest,
  addProviderDelete,
]);
