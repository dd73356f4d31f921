import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import { abortable } from '@binnacle/apimachinery/clock';
import { exchange, isForbidden, isNotFound } from '../rest/index.js';
import type { SendOptions, Transport, TransportRequest } from '../transport/index.js';
import { readAggregated } from './aggregated.js';
import type { ApiSurface } from './api-surface.js';
import { objectsOf, textOf } from './json-fields.js';
import { readGroups, readLegacy } from './legacy.js';

const aggregated = ['v2', 'v2beta1']
  .map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`)
  .join(',');

/** Runs discovery once for all callers and caches the result. */
export class DiscoveryClient {
  readonly #transport: Transport;
  #surface: Promise<ApiSurface> | undefined;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The cached surface, or a new one. A failure is not cached. */
  async surface(options: Pick<SendOptions, 'signal'> = {}): Promise<ApiSurface> {
    let surface = this.#surface;
    if (surface === undefined) {
      // All callers share the request, so no single signal may end it.
      surface = this.#fetch();
      this.#surface = surface;
      surface.catch(() => this.#forget(surface));
    }
    return abortable(surface, options.signal);
  }

  /** Whether the server serves the resource in this version: one request, which is not cached. */
  async serves({ group, version, resource }: GroupVersionResource, options: SendOptions = {}): Promise<boolean> {
    try {
      const answer = await exchange(this.#transport, request(pathOfVersion(group, version)), options);
      return objectsOf(answer, 'resources').some((each) => textOf(each, 'name') === resource);
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** Drops the cache: the next call sends new requests. */
  invalidate(): void {
    this.#surface = undefined;
  }

  /** `{ major, minor, gitVersion, ... }`. */
  async serverVersion(options: SendOptions = {}): Promise<JsonObject> {
    return exchange(this.#transport, request('/version'), options);
  }

  #forget(surface: Promise<ApiSurface> | undefined): void {
    if (this.#surface === surface) this.#surface = undefined;
  }

  async #fetch(): Promise<ApiSurface> {
    const [core, groups] = await Promise.all([this.#root('/api'), this.#root('/apis')]);
    if (isAggregated(core) && isAggregated(groups)) {
      const [first, rest] = [readAggregated(core), readAggregated(groups)];
      return { groups: [...first.groups, ...rest.groups], failures: [...first.failures, ...rest.failures] };
    }
    // A proxy may support aggregated discovery for only one of the two. Use legacy discovery for both.
    const [plainCore, plainGroups] = await Promise.all([
      isAggregated(core) ? this.#root('/api', 'application/json') : core,
      isAggregated(groups) ? this.#root('/apis', 'application/json') : groups,
    ]);
    return readLegacy(readGroups(plainCore, plainGroups), async ({ group, version }) =>
      exchange(this.#transport, request(pathOfVersion(group, version))),
    );
  }

  /** A server may lack `/api` or `/apis`. */
  async #root(path: string, accept = `${aggregated},application/json`): Promise<JsonObject> {
    try {
      return await exchange(this.#transport, request(path, accept));
    } catch (error) {
      if (isNotFound(error) || isForbidden(error)) return {};
      throw error;
    }
  }
}

function request(path: string, accept = 'application/json'): TransportRequest {
  return { method: 'GET', path, headers: { accept } };
}

function pathOfVersion(group: string, version: string): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function isAggregated(answer: JsonObject): boolean {
  return answer['kind'] === 'APIGroupDiscoveryList';
}
