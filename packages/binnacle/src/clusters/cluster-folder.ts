import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '@binnacle/apimachinery/json';
import { makeDirectory } from '@binnacle/kv/directories';
import type { ProcessIdentity } from '@binnacle/kv/processes';
import { dataDirectoryLayout } from '../embed/index.js';
import { baseDirectory, hasErrorCode, readTextIfPresent, writePrivateFile } from '../files/index.js';
import { isClusterName } from './requests/cluster-name.js';

/** What a cluster is created with. */
export interface ClusterSettings {
  readonly nodes: number;
  /** The port of its server. Undefined until it has started. */
  readonly port?: number;
}

/** `$XDG_DATA_HOME/binnacle-clusters`, or `~/.local/share/binnacle-clusters`. */
export function clustersDirectory(environment: NodeJS.ProcessEnv): string {
  return join(baseDirectory('data', environment), 'binnacle-clusters');
}

/** The folder of one cluster. Methods reject with the system's errors. */
export class ClusterFolder {
  readonly name: string;
  readonly path: string;

  constructor(directory: string, name: string) {
    this.name = name;
    this.path = join(directory, name);
  }

  get dataDirectory(): string {
    return join(this.path, 'data');
  }

  /** The kubeconfig that the server writes. */
  get kubeconfig(): string {
    return dataDirectoryLayout(this.dataDirectory).kubeconfig;
  }

  get log(): string {
    return join(this.path, 'log');
  }

  /** Creates the folder; false if it exists. */
  async create(settings: ClusterSettings): Promise<boolean> {
    makeDirectory(join(this.path, '..'));
    try {
      await mkdir(this.path, { mode: 0o700 });
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST')) return false;
      throw error;
    }
    await this.saveSettings(settings);
    return true;
  }

  async saveSettings(settings: ClusterSettings): Promise<void> {
    await writePrivateFile(join(this.path, 'cluster.json'), `${JSON.stringify(settings)}\n`);
  }

  /** Undefined if there is no such cluster. */
  async settings(): Promise<ClusterSettings | undefined> {
    const text = await this.#read('cluster.json');
    if (text === undefined) return undefined;
    const value = parseJson(text).value;
    const { nodes, port } = isObject(value) ? value : {};
    return { nodes: typeof nodes === 'number' ? nodes : 0, ...(typeof port === 'number' ? { port } : {}) };
  }

  async saveProcess(identity: ProcessIdentity): Promise<void> {
    await writePrivateFile(join(this.path, 'process.json'), `${JSON.stringify(identity)}\n`);
  }

  /** The process of its server, which may have ended. */
  async process(): Promise<ProcessIdentity | undefined> {
    const text = await this.#read('process.json');
    const value = text === undefined ? undefined : parseJson(text).value;
    const { pid, startedAt } = isObject(value) ? value : {};
    return typeof pid === 'number' && pid > 0 && typeof startedAt === 'string' ? { pid, startedAt } : undefined;
  }

  async forgetProcess(): Promise<void> {
    await rm(join(this.path, 'process.json'), { force: true });
  }

  /** Opens the log to append to it. */
  async openLog(): Promise<{ readonly fd: number } & AsyncDisposable> {
    return open(this.log, 'a', 0o600);
  }

  /** The last lines of the log. */
  async lastLines(count: number): Promise<readonly string[]> {
    const text = await readFile(this.log, 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .slice(-count);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }

  async #read(file: string): Promise<string | undefined> {
    return readTextIfPresent(join(this.path, file));
  }
}

/** The clusters in a directory, by name. */
export async function clusterFolders(directory: string): Promise<readonly ClusterFolder[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && isClusterName(entry.name))
      .map(({ name }) => new ClusterFolder(directory, name))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}
