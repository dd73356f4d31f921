import { join } from 'node:path';
import { baseDirectory } from './base-directory.js';

/** `$XDG_DATA_HOME/binnacle`, or `~/.local/share/binnacle`. */
export function defaultDataDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return join(baseDirectory('data', environment), 'binnacle');
}

/** The paths in a data directory. */
export interface DataDirectoryLayout {
  readonly store: string;
  readonly certificates: string;
  readonly kubeconfig: string;
}

export function dataDirectoryLayout(directory: string): DataDirectoryLayout {
  return {
    store: join(directory, 'store'),
    certificates: join(directory, 'pki'),
    kubeconfig: join(directory, 'kubeconfig'),
  };
}
