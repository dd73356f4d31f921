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
import { type Surroundings, systemSurroundings } from './surroundings.js';

export interface LoadOptions extends Selection, ConfigSources {
  /** This file alone, which must be there. */
  readonly path?: string;
}

/**
 * The configuration that kubectl would use here: of `path` if given, else of the files of KUBECONFIG, else of `~/.kube/config`, else the
 * pod's own. Throws a {@link KubeconfigError}.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<ClientConfig> {
  const surroundings = options.surroundings ?? systemSurroundings;
  const kubeconfig = await loadKubeconfig(options);
  if (kubeconfig !== undefined) return clientConfigOf(kubeconfig, options, options);
  if (isInCluster(surroundings)) return inClusterConfig(options);
  throw new KubeconfigError(
    `no cluster to talk to: none of ${defaultPaths(surroundings).join(', ')} exists, and this is no pod. Set KUBECONFIG to the path of a kubeconfig`,
  );
}

/**
 * The files merged. Those of KUBECONFIG need not exist; undefined when none does. Throws a {@link KubeconfigError} for a file that cannot
 * be read.
 */
export async function loadKubeconfig(
  options: Pick<LoadOptions, 'path' | 'surroundings'> = {},
): Promise<Kubeconfig | undefined> {
  const surroundings = options.surroundings ?? systemSurroundings;
  const paths = options.path === undefined ? defaultPaths(surroundings) : [options.path];
  const found: Kubeconfig[] = [];
  for (const path of paths) {
    try {
      found.push(parseKubeconfig(await surroundings.readFile(path), path));
    } catch (error) {
      if (error instanceof KubeconfigError) throw error;
      if (errorCode(error) === 'ENOENT' && options.path === undefined) continue;
      throw new KubeconfigError(`${path}: ${explainFileError(error)}`, { cause: error });
    }
  }
  return found.length === 0 ? undefined : mergeKubeconfigs(found);
}

function defaultPaths(surroundings: Surroundings): string[] {
  const listed = (surroundings.variables['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? [...new Set(listed)] : [join(surroundings.homeDirectory, '.kube', 'config')];
}
