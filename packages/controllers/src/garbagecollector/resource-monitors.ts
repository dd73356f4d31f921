import { formatGroupResource } from '@binnacle/apimachinery/meta';
import { type ObjectSink, Reflector, type ReflectorState } from '@binnacle/client/cache';
import type { Clock } from '@binnacle/client/clock';
import type { ApiResource } from '@binnacle/client/discovery';
import type { DynamicClient } from '@binnacle/client/dynamic';
import type { PartialObjectMetadata } from '@binnacle/client/typed';
import type { Consequences } from './consequences.js';
import type { DependencyGraph } from './graph.js';
import { ResourceMonitor } from './resource-monitor.js';
import type { ServedKinds } from './served-kinds.js';

export interface ResourceWatchesOptions {
  readonly client: DynamicClient;
  readonly graph: DependencyGraph;
  readonly clock: Clock;
  /** Told of what comes of what is seen. */
  readonly follow: (consequences: Consequences) => void;
  /** Told of all failures. */
  readonly onError: (error: unknown, resource: ApiResource, state: ReflectorState) => void;
  /** Told of objects of a resource, by its `plural.group`, after the graph. */
  readonly listener: {
    set(resource: string, object: PartialObjectMetadata): void;
    delete(resource: string, object: PartialObjectMetadata): void;
  };
}

interface ResourceWatch {
  readonly name: string;
  readonly reflector: Reflector<PartialObjectMetadata>;
  readonly synced: Promise<void>;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/** One watch for each resource that is served, of metadata alone. */
export class ResourceWatches {
  readonly #options: ResourceWatchesOptions;
  readonly #watches = new Map<string, ResourceWatch>();

  constructor(options: ResourceWatchesOptions) {
    this.#options = options;
  }

  /** Watches what is served now, and nothing else. Resolves when what is watched no longer has ended. True: there was a difference. */
  async adopt({ watched }: ServedKinds): Promise<boolean> {
    const gone = [...this.#watches.keys()].filter((key) => !watched.has(key));
    const added = [...watched].filter(([key]) => !this.#watches.has(key));
    await Promise.all(gone.map(async (key) => this.#stop(key)));
    for (const [key, resource] of added) this.#watches.set(key, this.#start(resource));
    return gone.length + added.length > 0;
  }

  /** Resolves when the graph knows all that there was when each was first listed. */
  async synced(): Promise<void> {
    await Promise.all([...this.#watches.values()].map(({ synced }) => synced));
  }

  /** Whether objects of a resource, `plural.group`, are heard of as they change. */
  hears(resource: string): boolean {
    const watch = [...this.#watches.values()].find(({ name }) => name === resource);
    return watch !== undefined && watch.reflector.state.failures === 0;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watches.keys()].map(async (key) => this.#stop(key)));
  }

  #start(resource: ApiResource): ResourceWatch {
    const { client, graph, follow, clock, onError, listener } = this.#options;
    const name = formatGroupResource(resource.resource);
    const controller = new AbortController();
    const monitor = new ResourceMonitor(resource, graph, follow);
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
      onError: (error, state) => onError(error, resource, state),
    });
    const ended = reflector.run(controller.signal).then(() => {
      monitor.leave();
      markSynced();
    });
    return { name, reflector, synced, controller, ended };
  }

  async #stop(key: string): Promise<void> {
    const watch = this.#watches.get(key);
    this.#watches.delete(key);
    watch?.controller.abort();
    await watch?.ended;
  }
}
