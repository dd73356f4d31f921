import { formatGroupResource, formatGroupVersion } from '@binnacle/apimachinery/meta';
import { type ObjectSink, Reflector, type ReflectorState } from '@binnacle/client/cache';
import type { Clock, Random } from '@binnacle/apimachinery/clock';
import type { ApiResource } from '@binnacle/client/discovery';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { PartialObjectMetadata } from '@binnacle/client/typed';
import type { DependencyGraph, Effects } from './graph.js';
import { compactText, type Identity } from './identity.js';
import type { ServedKinds } from './served-kinds.js';

export interface ResourceMonitorsOptions {
  readonly client: DynamicClient;
  readonly graph: DependencyGraph;
  readonly clock: Clock;
  readonly random: Random;
  readonly onEffects: (effects: Effects) => void;
  readonly onError: (error: unknown, resource: ApiResource, state: ReflectorState) => void;
  /** Sees each object after the graph, with its resource as `plural.group`. */
  readonly listener: {
    set(resource: string, object: PartialObjectMetadata): void;
    delete(resource: string, object: PartialObjectMetadata): void;
  };
}

interface RunningMonitor {
  readonly synced: Promise<void>;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** One watch of metadata for each served resource. */
export class ResourceMonitors {
  readonly #options: ResourceMonitorsOptions;
  readonly #monitors = new Map<string, RunningMonitor>();

  constructor(options: ResourceMonitorsOptions) {
    this.#options = options;
  }

  /** Starts and stops monitors to match the served kinds. Resolves when the stopped ones have ended. */
  async sync({ watched }: ServedKinds): Promise<void> {
    const removed = [...this.#monitors.keys()].filter((key) => !watched.has(key));
    const added = [...watched].filter(([key]) => !this.#monitors.has(key));
    await Promise.all(removed.map(async (key) => this.#stop(key)));
    for (const [key, resource] of added) this.#monitors.set(key, this.#start(resource));
  }

  /** Resolves when the graph has the first list of every resource. */
  async synced(): Promise<void> {
    await Promise.all([...this.#monitors.values()].map(({ synced }) => synced));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#monitors.keys()].map(async (key) => this.#stop(key)));
  }

  #start(resource: ApiResource): RunningMonitor {
    const { client, graph, onEffects, clock, random, onError, listener } = this.#options;
    const name = formatGroupResource(resource.resource);
    const controller = new AbortController();
    const monitor = new ResourceMonitor(resource, graph, onEffects);
    let markSynced: () => void = () => undefined;
    const synced = new Promise<void>((resolve) => {
      markSynced = resolve;
    });
    const sink: ObjectSink<PartialObjectMetadata> = {
      replace: (objects) => {
        monitor.replace(objects);
        for (const object of objects) listener.set(name, object);
        markSynced();
      },
      set: (object) => {
        monitor.set(object);
        listener.set(name, object);
      },
      delete: (object) => {
        monitor.delete(object);
        listener.delete(name, object);
      },
    };
    const reflector = new Reflector(client.resource<PartialObjectMetadata>(resource.resource), sink, {
      metadataOnly: true,
      clock,
      random,
      onError: (error, state) => onError(error, resource, state),
    });
    const ended = reflector.run(controller.signal).then(() => {
      monitor.forgetAll();
      markSynced();
    });
    return { synced, controller, ended };
  }

  async #stop(key: string): Promise<void> {
    const monitor = this.#monitors.get(key);
    this.#monitors.delete(key);
    monitor?.controller.abort();
    await monitor?.ended;
  }
}

/** Feeds the objects of one resource to the graph, and keeps only their uids. */
export class ResourceMonitor implements ObjectSink<PartialObjectMetadata> {
  readonly #apiVersion: string;
  readonly #kind: string;
  readonly #graph: DependencyGraph;
  readonly #onEffects: (effects: Effects) => void;
  #uids: Set<string> = new Set();
  #namespace = '';

  constructor({ resource, kind }: ApiResource, graph: DependencyGraph, onEffects: (effects: Effects) => void) {
    this.#apiVersion = formatGroupVersion(resource);
    this.#kind = kind.kind;
    this.#graph = graph;
    this.#onEffects = onEffects;
  }

  replace(objects: readonly PartialObjectMetadata[]): void {
    const before = this.#uids;
    this.#uids = new Set();
    for (const object of objects) this.set(object);
    // A list may be stale: an object missing from it may still exist.
    for (const uid of before) if (!this.#uids.has(uid)) this.#onEffects(this.#graph.forget(uid));
  }

  set(object: PartialObjectMetadata): void {
    const identity = this.#identityOf(object);
    if (identity === undefined) return;
    this.#uids.add(identity.uid);
    this.#onEffects(this.#graph.observe(identity, object.metadata));
  }

  delete(object: PartialObjectMetadata): void {
    const identity = this.#identityOf(object);
    if (identity === undefined) return;
    this.#uids.delete(identity.uid);
    this.#onEffects(this.#graph.remove(identity));
  }

  /** The watch of the resource has ended. */
  forgetAll(): void {
    for (const uid of this.#uids) this.#onEffects(this.#graph.forget(uid));
    this.#uids.clear();
  }

  #identityOf({ metadata }: PartialObjectMetadata): Identity | undefined {
    const { uid = '', name = '', namespace = '' } = metadata;
    if (uid === '') return undefined;
    const known = this.#graph.node(uid)?.identity;
    if (known !== undefined && this.#isSame(known, name, namespace)) return known;
    // Lists are ordered by namespace, so neighbours share one string.
    if (namespace !== this.#namespace) this.#namespace = compactText(namespace);
    return {
      apiVersion: this.#apiVersion,
      kind: this.#kind,
      namespace: this.#namespace,
      name: compactText(name),
      uid: compactText(uid),
    };
  }

  #isSame(known: Identity, name: string, namespace: string): boolean {
    const isSameKind = known.kind === this.#kind && known.apiVersion === this.#apiVersion;
    return isSameKind && known.name === name && known.namespace === namespace;
  }
}
