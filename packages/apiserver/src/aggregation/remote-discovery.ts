import { type Clock } from '@binnacle/apimachinery/clock';
import type { JsonObject, JsonValue } from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { WorkQueue } from '../loops/index.js';
import { AGGREGATOR } from './availability-check.js';
import { type BackendDocument, BackendDocuments } from './backend-documents.js';
import type { Backends } from './backends.js';
import { readAggregated, readResourceList } from './discovered-resources.js';
import { DocumentProblems } from './document-problems.js';
import { DocumentReader } from './document-reader.js';
import { type BackendReference, pathOf, type RegisteredService } from './registered-service.js';

/** What is known of the resources of an APIService. */
export interface RemoteResources {
  readonly resources: readonly JsonObject[];
  readonly freshness: 'Current' | 'Stale';
}

export interface RemoteDiscoveryOptions {
  readonly backends: Backends;
  readonly clock: Clock;
  readonly find: (name: string) => RegisteredService | undefined;
  /** Called when the known resources of any APIService have changed. */
  readonly changed: () => void;
  /** Receives why the document of a backend cannot be used. */
  readonly report: (error: unknown) => void;
}

/** Upstream: kube-aggregator `discoveryRefreshInterval`. */
const REFRESH_MS = 60_000;
const TIMEOUT_MS = 5000;
const MAXIMUM_BYTES = 4 * 1024 * 1024;
const WORKERS = 4;
const ACCEPT_AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const NOTHING: RemoteResources = { resources: [], freshness: 'Stale' };

/**
 * The resources of extension API servers, asked for after each change of an APIService and every minute. Resources of a
 * server that does not answer are unknown, and marked as stale.
 * Upstream: kube-aggregator `pkg/apiserver/handler_discovery.go`.
 */
export class RemoteDiscovery {
  readonly #options: RemoteDiscoveryOptions;
  readonly #documents: BackendDocuments;
  readonly #reader = new DocumentReader<readonly JsonObject[]>();
  readonly #problems: DocumentProblems;
  readonly #queue: WorkQueue;
  readonly #known = new Map<string, RemoteResources>();

  constructor(options: RemoteDiscoveryOptions) {
    const { backends, clock } = options;
    this.#options = options;
    this.#documents = new BackendDocuments({ backends, clock, timeoutMs: TIMEOUT_MS, maximumBytes: MAXIMUM_BYTES });
    this.#problems = new DocumentProblems(options.report);
    this.#queue = new WorkQueue({
      work: (name) => this.#refresh(name),
      report: (error, name) => this.#problems.failed(name, error),
      clock,
      workers: WORKERS,
    });
  }

  resourcesOf(name: string): RemoteResources {
    return this.#known.get(name) ?? NOTHING;
  }

  /** An APIService has changed or is gone. */
  changed(name: string): void {
    this.#queue.add(name);
  }

  stop(): void {
    this.#queue.stop();
  }

  async #refresh(name: string): Promise<void> {
    const service = this.#options.find(name);
    if (service?.backend === undefined) {
      this.#reader.forget(name);
      this.#problems.solved(name);
      this.#keep(name, undefined);
      return;
    }
    try {
      const resources = await this.#fetch(service, service.backend);
      this.#keep(name, { resources, freshness: 'Current' });
    } catch (error) {
      this.#keep(name, NOTHING);
      throw error;
    }
    this.#problems.solved(name);
    this.#queue.addAfter(name, REFRESH_MS);
  }

  async #fetch(service: RegisteredService, backend: BackendReference): Promise<readonly JsonObject[]> {
    const asked = { path: '/apis', accept: ACCEPT_AGGREGATED, user: AGGREGATOR };
    const document = await this.#documents.fetch(service, backend, asked);
    const { status, contentType } = document;
    if (status === 503) throw new Error(`${service.name}: the backend is unavailable`);
    if (status === 200 && contentType.includes('as=APIGroupDiscoveryList')) {
      return this.#reader.read(service.name, document, (value) => aggregatedResources(value, service));
    }
    return this.#fetchList(service, backend);
  }

  /** Older servers describe each group and version in its own document. */
  async #fetchList(service: RegisteredService, backend: BackendReference): Promise<readonly JsonObject[]> {
    const path = pathOf(service);
    const asked = { path, accept: 'application/json', user: { ...AGGREGATOR, groups: [] } };
    const document = await this.#documents.fetch(service, backend, asked);
    return this.#reader.read(service.name, document, (value) => listedResources(value, document));
  }

  #keep(name: string, found: RemoteResources | undefined): void {
    const before = this.#known.get(name);
    if (found === undefined) this.#known.delete(name);
    else this.#known.set(name, found);
    if (before?.resources !== found?.resources || before?.freshness !== found?.freshness) this.#options.changed();
  }
}

function* aggregatedResources(document: JsonValue, service: RegisteredService): Steps<readonly JsonObject[]> {
  const groups = yield* readAggregated(document);
  if (groups === undefined) throw new Error('the backend sent another document');
  return groups.get(`${service.group}/${service.version}`) ?? [];
}

function* listedResources(document: JsonValue, { status }: BackendDocument): Steps<readonly JsonObject[]> {
  const resources = status === 200 ? yield* readResourceList(document) : undefined;
  if (resources === undefined) throw new Error('the backend sent no list of resources');
  return resources;
}
