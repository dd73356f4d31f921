import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * `$XDG_DATA_HOME/binnacle`, or `~/.local/share/binnacle`: independent of the working directory. The XDG base directory
 * specification requires an absolute XDG_DATA_HOME, so a relative one is ignored.
 */
export function defaultDataDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const base = environment['XDG_DATA_HOME'];
  const valid = base !== undefined && isAbsolute(base);
  return join(valid ? base : join(homedir(), '.local', 'share'), 'binnacle');
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
