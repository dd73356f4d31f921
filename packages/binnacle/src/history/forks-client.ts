import type { JsonObject } from '@binnacle/apimachinery/json';
import { exchange } from '@binnacle/client/rest';
import type { Transport } from '@binnacle/client/transport';
import { explainAbsence, objectsOf, textOf } from './answers.js';
import { forkKubeconfig } from './fork-kubeconfig.js';

const SNAPSHOTS = '/binnacle/v1/snapshots';
const FORKS = '/binnacle/v1/forks';
const NAME = /^[a-z0-9-]+$/;
/** A number that JavaScript holds exactly. */
const REVISION = /^[0-9]{1,15}$/;

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
    return objectsOf((await this.#send('GET', SNAPSHOTS))['items']).map(snapshotOf);
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
    return objectsOf((await this.#send('GET', FORKS))['items']).map(forkOf);
  }

  async addFork(options: ForkOptions): Promise<Fork & { readonly kubeconfig: string }> {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const fork = await this.#send('POST', FORKS, Object.fromEntries(given));
    const kubeconfig = forkKubeconfig(textOf(fork['kubeconfig']));
    const { name, ...facts } = forkOf(fork);
    // It becomes part of a path.
    if (!NAME.test(name)) throw new Error(`the server has given the fork an invalid name, ${JSON.stringify(name)}`);
    // A bisection halves the distance between two.
    if (!REVISION.test(facts.resourceVersion))
      throw new Error('the server has started the fork at an invalid revision');
    return { name, ...facts, kubeconfig };
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
      explainAbsence(error, 'the server has none: it is not Binnacle, or keeps its objects in etcd');
    }
  }
}

function snapshotOf({ name, resourceVersion, time }: JsonObject): Snapshot {
  return { name: textOf(name), resourceVersion: textOf(resourceVersion), time: textOf(time) };
}

function forkOf(document: JsonObject): Fork {
  return { ...snapshotOf(document), url: textOf(document['url']) };
}
