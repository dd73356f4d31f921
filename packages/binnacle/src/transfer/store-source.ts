import { STORAGE_PREFIX } from '@binnacle/api/table';
import { isStore, readStore } from '@binnacle/kv/embedded/maintenance';
import { dataDirectoryLayout } from '../files/index.js';
import type { ClusterItems } from './cluster-source.js';
import { itemsOfValues } from './stored-items.js';

/** Whether a path is a data directory of Binnacle. */
export const isDataDirectory = (path: string): boolean => isStore(dataDirectoryLayout(path).store);

/** The objects in a data directory, whose server may run. Rejects with an Error that names the directory when its store is damaged. */
export const itemsOfDataDirectory = (path: string, withSecrets: boolean): Promise<ClusterItems> =>
  itemsOfValues(readStore(dataDirectoryLayout(path).store, STORAGE_PREFIX), withSecrets, path);
