import type { ApiResource, ApiSurface } from '@binnacle/client/discovery';
import { formatGroupResource, formatGroupVersion, type GroupVersionResource } from '@binnacle/apimachinery/meta';

/** The server serves no such kind, or not now: whether there are objects of it, nobody knows. */
export class UnservedKindError extends Error {
  override readonly name = 'UnservedKindError';
}

const NEEDED_VERBS = ['delete', 'list', 'watch'];
/** They own nothing, come and go, and the server has the same ones in two groups. */
const IGNORED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/** What a server serves, as the collector sees it. */
export class ServedKinds {
  /** One version of each resource whose objects can be found and deleted, by `group/version/resource`. */
  readonly watched: ReadonlyMap<string, ApiResource>;
  readonly #byKind: ReadonlyMap<string, ApiResource>;
  /** `plural.group` of all. */
  readonly #names: ReadonlySet<string>;

  private constructor(resources: readonly ApiResource[]) {
    const byKind = new Map<string, ApiResource>();
    const watched = new Map<string, ApiResource>();
    const names = new Set<string>();
    for (const each of resources) {
      const name = formatGroupResource(each.resource);
      // Of versions, the preferred one comes first.
      const isFirst = !names.has(name);
      names.add(name);
      const kind = kindKey(formatGroupVersion(each.resource), each.kind.kind);
      if (!byKind.has(kind)) byKind.set(kind, each);
      const useful = NEEDED_VERBS.every((verb) => each.verbs.includes(verb));
      if (isFirst && useful && !IGNORED.has(name)) watched.set(resourceKey(each.resource), each);
    }
    this.watched = watched;
    this.#byKind = byKind;
    this.#names = names;
  }

  static readonly none = new ServedKinds([]);

  /** What the server could not tell about now stays as it was `before`. */
  static of({ groups, failures }: ApiSurface, before: ServedKinds = ServedKinds.none): ServedKinds {
    const now = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
    const told = new Set(now.map(({ resource }) => resourceKey(resource)));
    const untold = new Set(failures.map(formatGroupVersion));
    const kept = [...before.#byKind.values()].filter(
      ({ resource }) => untold.has(formatGroupVersion(resource)) && !told.has(resourceKey(resource)),
    );
    return new ServedKinds([...now, ...kept]);
  }

  isSameAs(other: ServedKinds): boolean {
    const [own, others] = [this.#byKind, other.#byKind];
    return own.size === others.size && [...own].every(([key, each]) => isSameResource(each, others.get(key)));
  }

  /** `plural.group`, in whatever version. */
  serves(name: string): boolean {
    return this.#names.has(name);
  }

  /** Throws an {@link UnservedKindError}. */
  resourceFor(apiVersion: string, kind: string): ApiResource {
    const found = this.#byKind.get(kindKey(apiVersion, kind));
    if (found === undefined) throw new UnservedKindError(`${apiVersion} ${kind} is not served`);
    return found;
  }
}

function isSameResource(one: ApiResource, other: ApiResource | undefined): boolean {
  return (
    other !== undefined &&
    resourceKey(one.resource) === resourceKey(other.resource) &&
    one.namespaced === other.namespaced &&
    one.verbs.join() === other.verbs.join()
  );
}

function kindKey(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`;
}

function resourceKey({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}
