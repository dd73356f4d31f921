import type { Clock } from '@binnacle/apimachinery/clock';
import type { EndpointSlice } from '@binnacle/api/types/discovery-v1';
import type { Service } from '@binnacle/api/types/core-v1';
import type { DiscoveredGroup, DiscoverySource } from '../discovery/index.js';
import type { ResourceEndpoint } from '../endpoints/index.js';
import { ENDPOINT_SLICES, SERVICES, type Stores } from '../registry/index.js';
import type { RemoteOpenApi } from '../openapi/index.js';
import type { Handler } from '../request/index.js';
import { aggregatedGroups, listedGroups, sourceOf } from './aggregated-groups.js';
import { ApiServices } from './api-services.js';
import { AvailabilityCheck } from './availability-check.js';
import { AvailabilityLoop } from './availability-loop.js';
import type { Backends } from './backends.js';
import { builtInServices } from './own-services.js';
import { Proxy, type ProxyOptions } from './proxy.js';
import { type CustomDefinitions, RegistrationLoop } from './registration-loop.js';
import { type RegisteredService, serviceName, serviceNameOfPath } from './registered-service.js';
import type { RemoteDocuments } from './remote-open-api.js';
import { RemoteDiscovery } from './remote-discovery.js';
import { ServiceWriter } from './service-writer.js';

export interface AggregatorOptions extends Pick<ProxyOptions, 'userHeaders' | 'isProxied'> {
  /** The endpoint of the APIServices. */
  readonly endpoint: ResourceEndpoint;
  readonly stores: Stores;
  /** The groups that this server serves itself, besides custom resources. */
  readonly builtIn: DiscoverySource;
  readonly custom: (CustomDefinitions & { readonly discovery: DiscoverySource }) | undefined;
  readonly backends: Backends;
  readonly clock: Clock;
  /** An available APIService has become unavailable. */
  readonly becameUnavailable: (name: string, reason: string) => void;
  /** Receives failures of background work. */
  readonly report: (error: unknown) => void;
}

/**
 * The aggregation layer: APIServices say which groups and versions exist and which extension API server serves them.
 * A change takes effect with the next request. Upstream: kube-aggregator `pkg/apiserver`.
 */
export class Aggregator {
  /** The groups of plain lists. */
  readonly listed: DiscoverySource;
  /** The groups of the aggregated document. */
  readonly aggregated: DiscoverySource;
  readonly #options: AggregatorOptions;
  readonly #services: ApiServices;
  readonly #proxy: Proxy;
  readonly #availability: AvailabilityLoop;
  readonly #registration: RegistrationLoop;
  readonly #remote: RemoteDiscovery;
  /** The names of the APIServices with a backend. */
  readonly #withBackend = new Set<string>();
  /** The names of the APIServices of this server that have not been available yet. */
  readonly #unregistered: Set<string>;
  #documents: Promise<RemoteDocuments> | undefined;
  #loadedDocuments: RemoteDocuments | undefined;
  #revision = 0;
  #isStarted = false;
  #isStopped = false;

  constructor(options: AggregatorOptions) {
    const { endpoint, stores, backends, clock, report, builtIn, custom } = options;
    this.#options = options;
    const find = (name: string): RegisteredService | undefined => this.#services.get(name);
    const writer = new ServiceWriter(endpoint);
    const services = stores.reader<Service>(SERVICES);
    const endpointSlices = stores.reader<EndpointSlice>(ENDPOINT_SLICES);
    const check = new AvailabilityCheck({ services, endpointSlices, backends, clock });
    this.#services = new ApiServices({
      reader: endpoint.store.reader,
      clock,
      report,
      changed: (name, before, after) => this.#changed(name, before, after),
    });
    this.#proxy = new Proxy(options);
    const all = (): Iterable<RegisteredService> => this.#services.all();
    this.#availability = new AvailabilityLoop({ stores, check, writer, find, all, clock, report });
    const desired = builtInServices(builtIn.groups());
    this.#unregistered = new Set(desired.map(serviceName));
    this.#registration = new RegistrationLoop({ desired, custom, writer, find, all, clock, report });
    this.#remote = new RemoteDiscovery({ backends, clock, find, changed: () => this.#revision++, report });
    const local = (): readonly DiscoveredGroup[] => [...builtIn.groups(), ...(custom?.discovery.groups() ?? [])];
    const revision = (): number => this.#revision + builtIn.revision + (custom?.discovery.revision ?? 0);
    this.listed = sourceOf(revision, () =>
      this.#isStarted ? listedGroups(all(), custom?.discovery.groups() ?? []) : local(),
    );
    this.aggregated = sourceOf(revision, () =>
      aggregatedGroups(local(), all(), ({ name }) => this.#remote.resourcesOf(name)),
    );
  }

  /** Settles when the stored APIServices are known. The built-in ones must be stored before. */
  async start(): Promise<void> {
    await this.#services.start();
    this.#isStarted = true;
    this.#revision++;
    this.#registration.start();
  }

  /** The OpenAPI documents of extension API servers. Their code loads with the first of these servers. */
  openApi(): Promise<RemoteOpenApi> {
    this.#documents ??= this.#loadDocuments();
    return this.#documents;
  }

  stop(): void {
    this.#isStopped = true;
    this.#loadedDocuments?.stop();
    this.#services.stop();
    this.#availability.stop();
    this.#registration.stop();
    this.#remote.stop();
    this.#options.backends.close();
  }

  /** The names of the APIServices of built-in groups that have not been available since the start. */
  get unregistered(): readonly string[] {
    return [...this.#unregistered];
  }

  /** All APIServices. */
  services(): Iterable<RegisteredService> {
    return this.#services.all();
  }

  /** The handler of a path that an extension API server serves; undefined for all other paths. */
  handlerFor(path: string): Handler | undefined {
    const service = this.#serviceOf(path);
    return service?.backend === undefined ? undefined : this.#proxy.handler(service, service.backend);
  }

  async #loadDocuments(): Promise<RemoteDocuments> {
    const { RemoteDocuments } = await import('./remote-open-api.js');
    const { backends, clock, report } = this.#options;
    const documents = new RemoteDocuments({
      backends,
      clock,
      report,
      find: (name) => this.#services.get(name),
      handler: (service, backend) => this.#proxy.handler(service, backend),
    });
    if (this.#isStopped) documents.stop();
    this.#loadedDocuments = documents;
    for (const { name, backend } of this.#services.all()) if (backend !== undefined) documents.changed(name);
    return documents;
  }

  #serviceOf(path: string): RegisteredService | undefined {
    // Most servers have none, and every request comes here.
    if (this.#withBackend.size === 0) return undefined;
    const name = serviceNameOfPath(path);
    return name === undefined ? undefined : this.#services.get(name);
  }

  #changed(name: string, before: RegisteredService | undefined, after: RegisteredService | undefined): void {
    this.#revision++;
    if (after?.isAvailable === true) this.#unregistered.delete(name);
    if (before?.isAvailable === true && after?.isAvailable === false) {
      this.#options.becameUnavailable(name, after.reason);
    }
    if (after?.backend === undefined) {
      this.#withBackend.delete(name);
      this.#options.backends.forget(name);
    } else {
      this.#withBackend.add(name);
      this.#options.backends.keep(name);
    }
    if (before?.backend !== undefined || after?.backend !== undefined) {
      if (
        JSON.stringify(before?.backend) !== JSON.stringify(after?.backend) ||
        before?.isAvailable !== after?.isAvailable
      ) {
        this.#remote.changed(name);
        if (this.#loadedDocuments === undefined) this.openApi().catch(this.#options.report);
        else this.#loadedDocuments.changed(name);
      }
      this.#availability.changed(name);
    }
    this.#registration.changed(name);
  }
}
