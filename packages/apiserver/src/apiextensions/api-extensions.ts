import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import { serviceUnavailable } from '@binnacle/apimachinery/status';
import type { DiscoverySource } from '../discovery/index.js';
import type { ResourceEndpoint } from '../endpoints/index.js';
import type { CustomOpenApiSource } from '../openapi/index.js';
import type { ResourceReader } from '../registry/index.js';
import type { Handler, RequestInfo } from '../request/index.js';
import { DefinitionController } from './definition-controller.js';
import { Definitions } from './definitions.js';
import { discoveredGroups } from './discovery-source.js';
import { customHandler, hasPath } from './resource-handler.js';
import { type ServedDefinition, servedDefinition } from './served-definition.js';
import { ServedResources, type ServedResourcesOptions } from './served-resources.js';

export interface ApiExtensionsOptions extends ServedResourcesOptions {
  /** The endpoint of the definitions. */
  readonly definitions: ResourceEndpoint;
  /** Receives failures of background work. */
  readonly report: (error: unknown) => void;
}

/** Upstream: apiserver `notfoundhandler`. */
const NOT_STARTED = 'the request has been made before all known HTTP paths have been installed, please try again';
const RETRY_AFTER_SECONDS = 5;

/**
 * Custom resources: finds the handlers and endpoints of every definition. A change takes effect with the next request. Upstream:
 * apiextensions `customresource_handler.go`.
 */
export class ApiExtensions {
  readonly discovery: DiscoverySource;
  readonly #definitions: Definitions;
  readonly #resources: ServedResources;
  readonly #controller: DefinitionController;
  readonly #listeners = new Set<(definitions: readonly ServedDefinition[]) => void>();
  /** By `group/version`. It has no more entries than there were definitions. */
  readonly #changedAt = new Map<string, number>();
  #revision = 0;
  #isStarted = false;

  constructor(options: ApiExtensionsOptions) {
    const { definitions: endpoint, clock, report } = options;
    this.#definitions = new Definitions({
      endpoint,
      prepare: () => this.#resources.prepare(),
      changed: (name, before, after) => this.#changed(name, before, after),
      report,
    });
    const { reader } = endpoint.store;
    this.#resources = new ServedResources(options, {
      known: (name) => this.#definitions.get(name),
      newest: async (name) => {
        const stored = await reader.find('', name);
        return stored && servedDefinition(stored);
      },
    });
    const parts = { definitions: this.#definitions, endpoint, resources: this.#resources, clock, report };
    this.#controller = new DefinitionController(parts);
    const revision = (): number => this.#revision;
    this.discovery = {
      get revision() {
        return revision();
      },
      groups: () => discoveredGroups(this.#definitions.all()),
    };
  }

  /** The custom resources for OpenAPI documents. */
  async openApi(): Promise<CustomOpenApiSource> {
    const { customOpenApiSource } = await import('./machinery.js');
    return customOpenApiSource({
      revision: () => this.#revision,
      changedAt: (groupVersion) => this.#changedAt.get(groupVersion) ?? 0,
      definitions: () => this.#definitions.all(),
    });
  }

  /** Settles when the stored definitions are known. */
  async start(): Promise<void> {
    await this.#definitions.start();
    this.#isStarted = true;
  }

  /** Settles when the definitions are as new as the cache. */
  caughtUp(): Promise<void> {
    return this.#definitions.caughtUp();
  }

  stop(): void {
    this.#definitions.stop();
    this.#controller.stop();
    this.#resources.stop();
  }

  /** Calls the listener with each definition before and after a change. */
  subscribe(listener: (definitions: readonly ServedDefinition[]) => void): void {
    this.#listeners.add(listener);
  }

  /** All definitions, by name. */
  get definitions(): readonly ServedDefinition[] {
    return this.#definitions.all();
  }

  /**
   * The names of stored definitions that cannot be read. Requests for their objects are answered 503. Throws 503 until
   * the definitions have been read.
   */
  unreadableDefinitions(): readonly string[] {
    this.#checkStarted();
    return [...this.#definitions.unreadable];
  }

  /**
   * Prepares to serve the objects that a request names; see {@link ServedResources.open}. Undefined: {@link handlerFor} is fast.
   */
  opening({ resource, group }: RequestInfo): Promise<void> | undefined {
    const definition = this.#isStarted ? this.#definitions.get(`${resource}.${group}`) : undefined;
    return definition === undefined ? undefined : this.#resources.open(definition);
  }

  /**
   * The handler of a request to a custom resource; undefined for any other. Throws the Status of an invalid request.
   */
  handlerFor(info: RequestInfo): Handler | undefined {
    // A 404 would say that there are no such objects.
    this.#checkStarted();
    const name = `${info.resource}.${info.group}`;
    if (this.#definitions.unreadable.has(name)) throw serviceUnavailable(`the definition ${name} cannot be read`);
    const definition = this.#definitions.get(name);
    if (definition === undefined || !hasPath(definition, info)) return undefined;
    if (!definition.namesAccepted && !definition.established) return undefined;
    if (!definition.versions.some(({ name, served }) => served && name === info.version)) return undefined;
    const endpoint = this.#resources.of(definition).endpoints.get(info.version);
    return endpoint === undefined ? undefined : customHandler(endpoint, info, definition.terminating);
  }

  /** The endpoint of a custom resource in its first served version. */
  find(group: string, resource: string): ResourceEndpoint | undefined {
    const definition = this.#definitions.get(`${resource}.${group}`);
    if (definition?.established !== true) return undefined;
    const version = definition.versions.find(({ served }) => served);
    return version === undefined ? undefined : this.#resources.of(definition).endpoints.get(version.name);
  }

  /** The endpoint of a custom kind in a served version. */
  findKind({ group, version, kind }: GroupVersionKind): ResourceEndpoint | undefined {
    const definition = this.#definitions.inGroup(group).find((each) => each.established && each.kind === kind);
    if (definition?.versions.some(({ name, served }) => served && name === version) !== true) return undefined;
    return this.#resources.of(definition).endpoints.get(version);
  }

  /** The reader of a custom resource in this version; undefined = not a custom resource, or not used yet. */
  readerOf({
    group,
    version,
    resource,
  }: Pick<RequestInfo, 'group' | 'version' | 'resource'>): ResourceReader | undefined {
    return this.#resources.inUse(`${resource}.${group}`)?.endpoints.get(version)?.store.reader;
  }

  #changed(name: string, before: ServedDefinition | undefined, after: ServedDefinition | undefined): void {
    if (!looksSame(before, after)) {
      this.#revision++;
      for (const definition of [before, after]) {
        for (const version of definition?.versions ?? []) {
          const groupVersion = formatGroupVersion({ group: definition?.group ?? '', version: version.name });
          this.#changedAt.set(groupVersion, this.#revision);
        }
      }
    }
    this.#resources.changed(name, after);
    this.#controller.add(name);
    const definitions = [before, after].filter((definition) => definition !== undefined);
    for (const listener of this.#listeners) listener(definitions);
  }

  #checkStarted(): void {
    if (!this.#isStarted) throw serviceUnavailable(NOT_STARTED, RETRY_AFTER_SECONDS);
  }
}

/** Whether discovery and OpenAPI documents are the same for both. */
function looksSame(before: ServedDefinition | undefined, after: ServedDefinition | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  return (
    before.identity === after.identity &&
    before.established === after.established &&
    before.terminating === after.terminating
  );
}
