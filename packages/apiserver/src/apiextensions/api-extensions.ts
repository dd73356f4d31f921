import type { CustomResourceDefinition } from '@binnacle/api/types/apiextensions-v1';
import { formatGroupVersion, type GroupVersionKind } from '@binnacle/apimachinery/meta';
import { forbidden, serviceUnavailable } from '@binnacle/apimachinery/status';
import type { RuleCompiler } from '@binnacle/apimachinery/structural';
import { finish } from '@binnacle/apimachinery/work';
import type { AdmissionPlugin } from '../admission/index.js';
import type { DiscoverySource } from '../discovery/index.js';
import type { ResourceEndpoint } from '../endpoints/index.js';
import { WorkQueue } from '../loops/index.js';
import type { CustomOpenApiSource } from '../openapi/index.js';
import type { ResourceReader } from '../registry/index.js';
import type { Handler, RequestInfo } from '../request/index.js';
import { CUSTOM_RESOURCE_CLEANUP, setCondition } from '../resources/index.js';
import { inSlices } from '../slices/index.js';
import { deleteInstances, overlapsBuiltIn } from './cleanup.js';
import type { CustomResource, CustomResourceOptions } from './custom-resource.js';
import { writeStatus } from './definition-writer.js';
import { Definitions, wholeDefinition } from './definitions.js';
import { discoveredGroups } from './discovery-source.js';
import type * as machinery from './machinery.js';
import { type NamesInUse, namesInUse } from './naming.js';
import { customHandler, isInScope, TERMINATING } from './resource-handler.js';
import { type ServedDefinition, servedDefinition } from './served-definition.js';
import type { VersionSchemas } from './version-backing.js';

export interface ApiExtensionsOptions extends Omit<CustomResourceOptions, 'rules'> {
  /** Loads the compiler of schema rules, with the first definition. Absent: rules are not evaluated. */
  readonly loadRules?: () => Promise<RuleCompiler>;
  /** The endpoint of the definitions. */
  readonly definitions: ResourceEndpoint;
  /** Receives failures of background work. */
  readonly report: (error: unknown) => void;
}

/** How long requests in progress may keep reading the objects of a changed definition. */
const RETIREMENT_MS = 1000;
/** How often to look for objects that delay the deletion of their definition. */
const CLEANUP_RETRY_MS = 1000;
/** Upstream: apiserver `notfoundhandler`. */
const NOT_STARTED = 'the request has been made before all known HTTP paths have been installed, please try again';
const RETRY_AFTER_SECONDS = 5;

interface Serving {
  readonly identity: string;
  readonly resource: CustomResource;
}

interface Opening {
  readonly identity: string;
  readonly done: Promise<void>;
}

/**
 * Custom resources. Serves the objects of every definition, maintains the definitions' status, and deletes the
 * objects of a deleted definition. A change takes effect with the next request. Upstream: apiextensions
 * `customresource_handler.go` and its controllers.
 */
export class ApiExtensions {
  readonly discovery: DiscoverySource;
  readonly #options: ApiExtensionsOptions;
  readonly #definitions: Definitions;
  readonly #queue: WorkQueue;
  readonly #serving = new Map<string, Serving>();
  /** Definitions whose schemas are being compiled, by name. */
  readonly #opening = new Map<string, Opening>();
  readonly #retiring = new Set<CustomResource>();
  readonly #listeners = new Set<(definitions: readonly ServedDefinition[]) => void>();
  /** By `group/version`. It has no more entries than there were definitions. */
  readonly #changedAt = new Map<string, number>();
  #machinery: typeof machinery | undefined;
  #rules: RuleCompiler | undefined;
  #revision = 0;
  #isStarted = false;

  constructor(options: ApiExtensionsOptions) {
    this.#options = options;
    this.#definitions = new Definitions({
      endpoint: options.definitions,
      prepare: async () => {
        this.#machinery ??= await import('./machinery.js');
        this.#rules ??= await options.loadRules?.();
      },
      changed: (name, before, after) => this.#changed(name, before, after),
      report: options.report,
    });
    const { report, clock } = options;
    this.#queue = new WorkQueue({ work: (name) => this.#reconcile(name), report, clock });
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
    this.#queue.stop();
    for (const { resource } of this.#serving.values()) resource.stop();
    for (const resource of this.#retiring) resource.stop();
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
   * Prepares to serve the objects that a request names. Large schemas compile in slices: settles when they are
   * compiled, for this state of the definition. Undefined: {@link handlerFor} is fast.
   */
  opening({ resource, group }: RequestInfo): Promise<void> | undefined {
    const definition = this.#isStarted ? this.#definitions.get(`${resource}.${group}`) : undefined;
    if (definition === undefined || this.#servingOf(definition) !== undefined) return undefined;
    const { name, identity } = definition;
    const opening = this.#opening.get(name);
    if (opening?.identity === identity) return opening.done;
    const whole = wholeDefinition(definition);
    const schemas = inSlices(this.#loaded().compileVersions(whole));
    if (!(schemas instanceof Promise)) {
      this.#serve(definition, whole, schemas);
      return undefined;
    }
    const done = this.#serveCompiled(definition, whole, schemas);
    this.#opening.set(name, { identity, done });
    return done;
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
    if (definition === undefined || !isInScope(definition.namespaced, info)) return undefined;
    if (!definition.namesAccepted && !definition.established) return undefined;
    if (!definition.versions.some(({ name, served }) => served && name === info.version)) return undefined;
    const endpoint = this.#resourceOf(definition).endpoints.get(info.version);
    return endpoint === undefined ? undefined : customHandler(endpoint, info, definition.terminating);
  }

  /** The endpoint of a custom resource in its first served version. */
  find(group: string, resource: string): ResourceEndpoint | undefined {
    const definition = this.#definitions.get(`${resource}.${group}`);
    if (definition?.established !== true) return undefined;
    const version = definition.versions.find(({ served }) => served);
    return version === undefined ? undefined : this.#resourceOf(definition).endpoints.get(version.name);
  }

  /** The endpoint of a custom kind in a served version. */
  findKind({ group, version, kind }: GroupVersionKind): ResourceEndpoint | undefined {
    const definition = this.#definitions.inGroup(group).find((each) => each.established && each.kind === kind);
    if (definition?.versions.some(({ name, served }) => served && name === version) !== true) return undefined;
    return this.#resourceOf(definition).endpoints.get(version);
  }

  /** The reader of a custom resource in this version; undefined = not a custom resource, or not used yet. */
  readerOf({
    group,
    version,
    resource,
  }: Pick<RequestInfo, 'group' | 'version' | 'resource'>): ResourceReader | undefined {
    const serving = this.#serving.get(`${resource}.${group}`)?.resource;
    return serving?.endpoints.get(version)?.store.reader;
  }

  #resourceOf(definition: ServedDefinition): CustomResource {
    const serving = this.#servingOf(definition);
    if (serving !== undefined) return serving;
    const whole = wholeDefinition(definition);
    return this.#serve(definition, whole, finish(this.#loaded().compileVersions(whole)));
  }

  #servingOf({ name, identity }: ServedDefinition): CustomResource | undefined {
    const serving = this.#serving.get(name);
    return serving?.identity === identity ? serving.resource : undefined;
  }

  /** Serves the definition unless it has changed while it was compiled. */
  async #serveCompiled(
    definition: ServedDefinition,
    whole: CustomResourceDefinition,
    schemas: Promise<VersionSchemas>,
  ): Promise<void> {
    const { name, identity } = definition;
    try {
      const compiled = await schemas;
      if (this.#definitions.get(name)?.identity !== identity || this.#servingOf(definition) !== undefined) return;
      this.#serve(definition, whole, compiled);
    } finally {
      if (this.#opening.get(name)?.identity === identity) this.#opening.delete(name);
    }
  }

  #serve(definition: ServedDefinition, whole: CustomResourceDefinition, schemas: VersionSchemas): CustomResource {
    const { name, identity } = definition;
    this.#retire(name);
    const plugins = [this.#forbidCreates(definition), ...this.#options.plugins];
    const resource = new (this.#loaded().CustomResource)(whole, schemas, {
      ...this.#options,
      plugins,
      rules: this.#rules,
    });
    this.#serving.set(name, { identity, resource });
    return resource;
  }

  /** The machinery, which loads before the first definition is served. */
  #loaded(): typeof machinery {
    if (this.#machinery === undefined) throw new Error('a definition is served before it is known');
    return this.#machinery;
  }

  /**
   * Forbids creates while the definition is being deleted: early, before webhooks are called, and again in the commit of the
   * object, which would outlive the definition.
   */
  #forbidCreates(definition: ServedDefinition): AdmissionPlugin {
    const { name } = definition;
    return {
      name: 'TerminatingDefinition',
      handles: (operation) => operation === 'CREATE',
      admit: (attributes) => void checkCreate(definition, this.#definitions.get(name), attributes.name),
      createCondition: async (attributes, isRetry) => {
        const current = isRetry ? await this.#newest(name) : this.#definitions.get(name);
        return checkCreate(definition, current, attributes.name).stored;
      },
    };
  }

  /** The definition as the store has it. */
  async #newest(name: string): Promise<ServedDefinition | undefined> {
    const stored = await this.#options.definitions.store.reader.find('', name);
    return stored && servedDefinition(stored);
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
    if (after === undefined || this.#serving.get(name)?.identity !== after.identity) this.#retire(name);
    this.#queue.add(name);
    const definitions = [before, after].filter((definition) => definition !== undefined);
    for (const listener of this.#listeners) listener(definitions);
  }

  /** No new request uses it; requests in progress may finish. */
  #retire(name: string): void {
    const resource = this.#serving.get(name)?.resource;
    if (resource === undefined) return;
    this.#serving.delete(name);
    this.#retiring.add(resource);
    const { clock } = this.#options;
    const retire = (): void => {
      this.#retiring.delete(resource);
      resource.stop();
    };
    clock.setTimer(retire, RETIREMENT_MS).unref();
  }

  #checkStarted(): void {
    if (!this.#isStarted) throw serviceUnavailable(NOT_STARTED, RETRY_AFTER_SECONDS);
  }

  async #reconcile(name: string): Promise<void> {
    const definition = this.#definitions.get(name);
    if (definition === undefined) {
      this.#freeNames(name);
      return;
    }
    if (definition.cleanup) {
      await this.#cleanUp(definition);
      return;
    }
    const { definitions: endpoint, clock } = this.#options;
    const { updateStatus } = this.#loaded();
    const inUse = this.#namesInUse(definition);
    const before = JSON.stringify(definition.acceptedNames);
    await writeStatus(endpoint, name, definition.uid, (current) => updateStatus(current, inUse, clock.now()));
    if (JSON.stringify(this.#definitions.get(name)?.acceptedNames) !== before) this.#requeueOthers(definition);
  }

  /** Another definition may be waiting for the released names. */
  #freeNames(name: string): void {
    const group = name.slice(name.indexOf('.') + 1);
    for (const other of this.#definitions.inGroup(group)) if (!other.namesAccepted) this.#queue.add(other.name);
  }

  #requeueOthers({ group, name }: ServedDefinition): void {
    for (const other of this.#definitions.inGroup(group)) {
      if (other.name !== name && !other.namesAccepted) this.#queue.add(other.name);
    }
  }

  #namesInUse({ group }: ServedDefinition): NamesInUse {
    return namesInUse(this.#definitions.inGroup(group).map(({ acceptedNames }) => acceptedNames));
  }

  /** Deletes the objects. When none is left, the definition itself can be deleted. */
  async #cleanUp(definition: ServedDefinition): Promise<void> {
    const { definitions: endpoint, clock } = this.#options;
    const { name, uid } = definition;
    const overlaps = overlapsBuiltIn({ group: definition.group, resource: definition.plural });
    const held = definition.established && !overlaps ? await this.#deleteInstances(definition) : 0;
    if (held > 0) {
      await writeStatus(endpoint, name, uid, (current) => {
        const condition = { reason: 'InstanceDeletionInProgress', message: 'CustomResource deletion is in progress' };
        setCondition(current, { type: 'Terminating', status: 'True', ...condition }, clock.now());
      });
      this.#queue.addAfter(name, CLEANUP_RETRY_MS);
      return;
    }
    await writeStatus(endpoint, name, uid, (current) => {
      setCondition(current, { type: 'Terminating', status: 'False', ...cleanedUp(definition, overlaps) }, clock.now());
      const { metadata } = current;
      const finalizers = metadata?.finalizers?.filter((finalizer) => finalizer !== CUSTOM_RESOURCE_CLEANUP) ?? [];
      if (metadata === undefined) return;
      if (finalizers.length > 0) metadata.finalizers = finalizers;
      else delete metadata.finalizers;
    });
  }

  async #deleteInstances(definition: ServedDefinition): Promise<number> {
    const resource = this.#resourceOf(definition);
    const endpoint = resource.endpoints.get(resource.storageVersion);
    return endpoint === undefined ? 0 : deleteInstances(endpoint);
  }
}

/** The current definition. Throws 403 if it is being deleted, or is another one, because a new object would outlive it. */
function checkCreate(
  { uid, group, plural }: ServedDefinition,
  current: ServedDefinition | undefined,
  object: string,
): ServedDefinition {
  if (current?.uid === uid && !current.terminating) return current;
  throw forbidden({ group, resource: plural }, object, TERMINATING);
}

/** Why the objects of a definition no longer delay its deletion. */
function cleanedUp({ established }: ServedDefinition, overlaps: boolean): { reason: string; message: string } {
  if (overlaps) {
    return { reason: 'OverlappingBuiltInResource', message: 'instances overlap with built-in resources in storage' };
  }
  return established
    ? { reason: 'InstanceDeletionCompleted', message: 'removed all instances' }
    : { reason: 'NeverEstablished', message: 'resource was never established' };
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
