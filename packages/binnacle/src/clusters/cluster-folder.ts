import { open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@binnacle/apimachinery/errors';
import { isObject, type JsonObject, parseJson } from '@binnacle/apimachinery/json';
import { makeDirectory } from '@binnacle/kv/directories';
import type { ProcessIdentity } from '@binnacle/kv/processes';
import { baseDirectory, dataDirectoryLayout, readTextIfPresent, writePrivateFile } from '../files/index.js';
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

const SETTINGS = 'cluster.json';
/** The end of the log that is read, which may be large. */
const TAIL_BYTES = 16_384;

/** The folder of one cluster. Methods reject with the system's errors. Whoever changes it holds its lock. */
export class ClusterFolder {
  readonly name: string;
  readonly path: string;
  /** The path of the folder while it is removed. No cluster has such a name. */
  readonly #removed: string;

  constructor(directory: string, name: string) {
    this.name = name;
    this.path = join(directory, name);
    this.#removed = join(directory, `.${name}.removed`);
  }

  get dataDirectory(): string {
    return join(this.path, 'data');
  }

  /** The folder of the server's store. */
  get store(): string {
    return dataDirectoryLayout(this.dataDirectory).store;
  }

  /** The kubeconfig that the server writes. */
  get kubeconfig(): string {
    return dataDirectoryLayout(this.dataDirectory).kubeconfig;
  }

  get log(): string {
    return join(this.path, 'log');
  }

  /** Also takes over what a killed `create` has left. */
  async create(settings: ClusterSettings): Promise<void> {
    makeDirectory(this.path);
    await this.saveSettings(settings);
  }

  async saveSettings(settings: ClusterSettings): Promise<void> {
    await writePrivateFile(join(this.path, SETTINGS), `${JSON.stringify(settings)}\n`);
  }

  /** Undefined if there is no such cluster. Rejects with an Error that names the file if it is damaged. */
  async settings(): Promise<ClusterSettings | undefined> {
    const text = await this.#read(SETTINGS);
    if (text === undefined) return undefined;
    const value = objectIn(text);
    if (value === undefined) throw new Error(`${join(this.path, SETTINGS)} is damaged; delete the cluster`);
    const { nodes, port } = value;
    return { nodes: typeof nodes === 'number' ? nodes : 0, ...(typeof port === 'number' ? { port } : {}) };
  }

  async saveProcess(identity: ProcessIdentity): Promise<void> {
    await writePrivateFile(join(this.path, 'process.json'), `${JSON.stringify(identity)}\n`);
  }

  /** The process that `create` or `start` has recorded, which may have ended. */
  async process(): Promise<ProcessIdentity | undefined> {
    const { pid, startedAt } = objectIn((await this.#read('process.json')) ?? '') ?? {};
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
    const text = await endOf(this.log, TAIL_BYTES).catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .slice(-count);
  }

  /** Atomic: a removal that is killed leaves no part of a cluster, but a hidden folder, which the next one removes. */
  async remove(): Promise<void> {
    await rm(this.#removed, { recursive: true, force: true });
    try {
      await rename(this.path, this.#removed);
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return;
      throw error;
    }
    await rm(this.#removed, { recursive: true, force: true });
  }

  async #read(file: string): Promise<string | undefined> {
    return readTextIfPresent(join(this.path, file));
  }
}

/** Undefined for a text that is not an object in JSON. */
function objectIn(text: string): JsonObject | undefined {
  try {
    const { value } = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function endOf(path: string, bytes: number): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, Math.max(0, size - bytes));
  return buffer.toString('utf8', 0, bytesRead);
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
