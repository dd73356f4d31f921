import { isObject, type JsonObject } from '@binnacle/apimachinery/json';
import { StatusError } from '@binnacle/apimachinery/status';
import { exchange } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';

const SNAPSHOTS = '/binnacle/v1/snapshots';
const FORKS = '/binnacle/v1/forks';

export interface Snapshot {
  readonly name: string;
  readonly resourceVersion: string;
  readonly time: string;
}

export interface Fork extends Snapshot {
  readonly url: string;
}

export interface ForkOptions {
  readonly name?: string | undefined;
  /** A resourceVersion, a time, or the name of a snapshot. Default: now. */
  readonly at?: string | undefined;
  readonly port?: number | undefined;
  readonly sharesCredentials?: boolean | undefined;
}

/** The snapshots and forks of a server. Rejects with the server's StatusErrors. */
export class ForksClient {
  readonly #transport: Transport;
  readonly #signal: AbortSignal | undefined;

  constructor(transport: Transport, signal?: AbortSignal) {
    this.#transport = transport;
    this.#signal = signal;
  }

  async snapshots(): Promise<readonly Snapshot[]> {
    return itemsOf(await this.#send('GET', SNAPSHOTS)).map(snapshotOf);
  }

  async snapshot(name: string): Promise<Snapshot> {
    return snapshotOf(await this.#send('GET', `${SNAPSHOTS}/${name}`));
  }

  async addSnapshot(name: string, at: string | undefined): Promise<Snapshot> {
    return snapshotOf(await this.#send('POST', SNAPSHOTS, { name, ...(at === undefined ? {} : { at }) }));
  }

  async deleteSnapshot(name: string): Promise<Snapshot> {
    return snapshotOf(await this.#send('DELETE', `${SNAPSHOTS}/${name}`));
  }

  async forks(): Promise<readonly Fork[]> {
    return itemsOf(await this.#send('GET', FORKS)).map(forkOf);
  }

  async addFork(options: ForkOptions): Promise<Fork & { readonly kubeconfig: string }> {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const fork = await this.#send('POST', FORKS, Object.fromEntries(given));
    return { ...forkOf(fork), kubeconfig: textOf(fork, 'kubeconfig') };
  }

  async deleteFork(name: string): Promise<Fork> {
    return forkOf(await this.#send('DELETE', `${FORKS}/${name}`));
  }

  async #send(method: string, path: string, document?: JsonObject): Promise<JsonObject> {
    const body = document === undefined ? {} : { body: JSON.stringify(document) };
    const headers = { 'content-type': 'application/json' };
    try {
      return await exchange(this.#transport, { method, path, headers, ...body }, { signal: this.#signal });
    } catch (error) {
      // A server without these paths answers 404 without details for all of them.
      const isAbsent = error instanceof StatusError && error.code === 404 && error.status.details === undefined;
      if (!isAbsent) throw error;
      throw new Error('the server has none: it is not Binnacle, or keeps its objects in etcd', { cause: error });
    }
  }
}

function itemsOf({ items }: JsonObject): JsonObject[] {
  return Array.isArray(items) ? items.filter(isObject) : [];
}

function snapshotOf(document: JsonObject): Snapshot {
  const [name, resourceVersion, time] = ['name', 'resourceVersion', 'time'].map((field) => textOf(document, field));
  return { name: name ?? '', resourceVersion: resourceVersion ?? '', time: time ?? '' };
}

function forkOf(document: JsonObject): Fork {
  return { ...snapshotOf(document), url: textOf(document, 'url') };
}

function textOf(document: JsonObject, field: string): string {
  const value = document[field];
  return typeof value === 'string' ? value : '';
}
