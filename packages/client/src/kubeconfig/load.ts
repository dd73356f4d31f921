import { delimiter, join } from 'node:path';
import type { ClientConfig } from './client-config.js';
import { type ConfigSources, clientConfigOf } from './client-config-of.js';
import type { Kubeconfig } from './document.js';
import { errorCode, explainFileError } from './file-credentials.js';
import { inClusterConfig, isInCluster } from './in-cluster.js';
import { KubeconfigError } from './kubeconfig-error.js';
import { mergeKubeconfigs } from './merge.js';
import { parseKubeconfig } from './parse.js';
import type { Selection } from './select.js';
import { type Environment, systemEnvironment } from './environment.js';

export interface LoadOptions extends Selection, ConfigSources {
  /** Use only this file, which must exist. */
  readonly path?: string;
}

/**
 * Loads the configuration that kubectl would use: from `path` if given, else from the files of KUBECONFIG, else from `~/.kube/config`, else from the
 * pod's service account. Throws a {@link KubeconfigError}.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClientConfig> {
  const environment = options.environment ?? systemEnvironment;
  const kubeconfig = await loadKubeconfig(options);
  if (kubeconfig !== undefined) return clientConfigOf(kubeconfig, options, options);
  if (isInCluster(environment)) return inClusterConfig(options);
  const paths = defaultPaths(environment);
  const missing = paths.length === 1 ? `${paths[0]} does not exist` : `none of ${paths.join(', ')} exists`;
  throw new KubeconfigError(
    `no cluster configured: ${missing}, and this process does not run in a pod. Set KUBECONFIG to the path of a kubeconfig`,
  );
}

/**
 * Reads and merges the files. Those of KUBECONFIG may be missing; undefined if all are. Throws a {@link KubeconfigError} for a file that cannot be
 * read.
 */
export async function loadKubeconfig(
  options: Pick<LoadOptions, 'path' | 'environment'> = {},
): Promise<Kubeconfig | undefined> {
  const environment = options.environment ?? systemEnvironment;
  const paths = options.path === undefined ? defaultPaths(environment) : [options.path];
  const found: Kubeconfig[] = [];
  for (const path of paths) {
    try {
      found.push(parseKubeconfig(await environment.readFile(path), path));
    } catch (error) {
      if (error instanceof KubeconfigError) throw error;
      if (errorCode(error) === 'ENOENT' && options.path === undefined) continue;
      throw new KubeconfigError(`${path}: ${explainFileError(error)}`, { cause: error });
    }
  }
  return found.length === 0 ? undefined : mergeKubeconfigs(found);
}

function defaultPaths(environment: Environment): string[] {
  const listed = (environment.variables['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? [...new Set(listed)] : [join(environment.homeDirectory, '.kube', 'config')];
}
