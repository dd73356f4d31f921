import type { ApiResource, ApiSurface } from '@binnacle/client/discovery';
import { formatGroupResource, formatGroupVersion, type GroupVersionResource } from '@binnacle/apimachinery/meta';

/** The server does not serve the kind at present, so nothing is known about its objects. */
export class UnservedKindError extends Error {
  override readonly name = 'UnservedKindError';
}

const NEEDED_VERBS = ['delete', 'list', 'watch'];
/** Events own nothing, are many, and appear in two groups. */
const IGNORED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);

/** The kinds that a server serves, as discovery shows them. */
export class ServedKinds {
  /** Resources to watch, one version each, by `group/version/resource`. */
  readonly watched: ReadonlyMap<string, ApiResource>;
  readonly #byKind: ReadonlyMap<string, ApiResource>;
  /** All resources, as `plural.group`. */
  readonly #names: ReadonlySet<string>;

  private constructor(resources: readonly ApiResource[]) {
    const byKind = new Map<string, ApiResource>();
    const watched = new Map<string, ApiResource>();
    const names = new Set<string>();
    for (const each of resources) {
      const name = formatGroupResource(each.resource);
      // Discovery lists the preferred version first.
      const isFirst = !names.has(name);
      names.add(name);
      const kind = kindKey(formatGroupVersion(each.resource), each.kind.kind);
      if (!byKind.has(kind)) byKind.set(kind, each);
      const hasVerbs = NEEDED_VERBS.every((verb) => each.verbs.includes(verb));
      if (isFirst && hasVerbs && !IGNORED.has(name)) watched.set(resourceKey(each.resource), each);
    }
    this.watched = watched;
    this.#byKind = byKind;
    this.#names = names;
  }

  static readonly none = new ServedKinds([]);

  /** Group versions whose discovery failed keep the resources that they had `before`. */
  static of({ groups, failures }: ApiSurface, before: ServedKinds = ServedKinds.none): ServedKinds {
    const current = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
    const discovered = new Set(current.map(({ resource }) => resourceKey(resource)));
    const failed = new Set(failures.map(formatGroupVersion));
    const kept = [...before.#byKind.values()].filter(
      ({ resource }) => failed.has(formatGroupVersion(resource)) && !discovered.has(resourceKey(resource)),
    );
    return new ServedKinds([...current, ...kept]);
  }

  isSameAs(other: ServedKinds): boolean {
    const [own, others] = [this.#byKind, other.#byKind];
    return own.size === others.size && [...own].every(([key, each]) => isSameResource(each, others.get(key)));
  }

  /** `name` is `plural.group`; any version counts. */
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
