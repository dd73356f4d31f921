import { evaluatorOf } from '@binnacle/api/quota';
import { Deadline } from '@binnacle/apimachinery/clock';
import { formatGroupResource, type GroupResource, type GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { SharedInformer } from '@binnacle/client/cache';
import { PersistentVolumeClaim, Pod, ResourceQuota, Service } from '@binnacle/client/kinds/core/v1';
import { ResourceClaim } from '@binnacle/client/kinds/resource/v1';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';
import type { LoopContext } from '../loop/index.js';
import type { CountedKind } from './plan.js';

/** How long a kind may take until its cache is complete, and how long an unknown kind stays unknown. Upstream: the period of `Sync`. */
export const PERIOD_MILLISECONDS = 30_000;

const NEEDED_VERBS = ['create', 'list', 'watch', 'delete'];

interface SpecialKind extends CountedKind {
  readonly type: ResourceType;
}

/** The kinds whose objects are more than a count, by `plural.group`. */
export const specialKinds: ReadonlyMap<string, SpecialKind> = new Map(
  [Pod, Service, PersistentVolumeClaim, ResourceClaim].flatMap((type: ResourceType): [string, SpecialKind][] => {
    const resource = { group: type.group, resource: type.plural };
    const evaluator = evaluatorOf(resource);
    return evaluator === undefined ? [] : [[formatGroupResource(resource), { kind: type.kind, evaluator, type }]];
  }),
);

const QUOTAS = formatGroupResource({ group: ResourceQuota.group, resource: ResourceQuota.plural });

/** The objects of a kind, as a cache shows them. */
export interface CachedKind extends CountedKind {
  objectsIn(namespace: string): readonly TypedObject[];
}

/** Called when an object is deleted, then without `after`, or changed. */
export type OnChange = (kind: CountedKind, before: TypedObject, after: TypedObject | undefined) => void;

interface Source {
  readonly cached: CachedKind;
  readonly informer: Pick<SharedInformer<TypedObject>, 'synced'>;
}

/** The kinds that any quota counts. A kind is watched from the first quota on that counts it. */
export class CountedKinds implements Disposable {
  readonly #context: LoopContext;
  readonly #onChange: OnChange;
  readonly #sources = new Map<string, Source>();
  readonly #handlers: Disposable[] = [];
  #refreshedAt = -Infinity;

  constructor(context: LoopContext, onChange: OnChange) {
    this.#context = context;
    this.#onChange = onChange;
  }

  /** Resolves to undefined if the server does not serve the resource, or its objects cannot be listed. */
  async find(resource: GroupResource, signal: AbortSignal): Promise<CachedKind | undefined> {
    const name = formatGroupResource(resource);
    const source = this.#sources.get(name) ?? (await this.#open(resource, name, signal));
    if (source === undefined) return undefined;
    using deadline = new Deadline(this.#context.clock, PERIOD_MILLISECONDS, signal, `the cache of ${name}`);
    try {
      await source.informer.synced(deadline.signal);
      return source.cached;
    } catch (error) {
      if (signal.aborted) throw error;
      return undefined;
    }
  }

  [Symbol.dispose](): void {
    for (const handler of this.#handlers) handler[Symbol.dispose]();
  }

  async #open(resource: GroupResource, name: string, signal: AbortSignal): Promise<Source | undefined> {
    const { informers } = this.#context;
    const special = specialKinds.get(name);
    if (special !== undefined) return this.#add(name, special, informers.informer(special.type));
    const evaluator = evaluatorOf(resource);
    if (evaluator === undefined) return undefined;
    // A quota that counts quotas counts itself. So they come from the cache that has shown it: another may show it later.
    if (name === QUOTAS) return this.#add(name, { kind: '', evaluator }, informers.informer(ResourceQuota));
    const served = await this.#served(resource, signal);
    if (served === undefined) return undefined;
    return this.#sources.get(name) ?? this.#add(name, { kind: '', evaluator }, informers.metadata(served));
  }

  #add<T extends TypedObject>(name: string, kind: CountedKind, informer: SharedInformer<T>): Source {
    const { kind: named, evaluator } = kind;
    const objectsIn = (namespace: string) => informer.lister.namespace(namespace).list();
    const source = { cached: { kind: named, evaluator, objectsIn }, informer };
    this.#sources.set(name, source);
    this.#handlers.push(
      informer.addHandler({
        onAdd: () => undefined,
        onUpdate: (before, after) => {
          if (before !== after) this.#onChange(kind, before, after);
        },
        onDelete: (object) => this.#onChange(kind, object, undefined),
      }),
    );
    return source;
  }

  async #served(resource: GroupResource, signal: AbortSignal): Promise<GroupVersionResource | undefined> {
    const { discovery, clock } = this.#context;
    const find = async () => {
      const { groups } = await discovery.surface({ signal });
      const versions = groups.find(({ name }) => name === resource.group)?.versions ?? [];
      return versions
        .flatMap(({ resources }) => resources)
        .find(({ resource: { resource: plural }, namespaced, verbs }) => {
          return plural === resource.resource && namespaced && NEEDED_VERBS.every((verb) => verbs.includes(verb));
        })?.resource;
    };
    const known = await find();
    if (known !== undefined || clock.monotonic() < this.#refreshedAt + PERIOD_MILLISECONDS) return known;
    this.#refreshedAt = clock.monotonic();
    discovery.invalidate();
    return find();
  }
}
