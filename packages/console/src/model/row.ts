/** The health of an object, in one word: `good`, on its way (`busy`), in need of attention (`bad`), finished (`done`), or without a state. */
export type Health = 'good' | 'busy' | 'bad' | 'done' | 'none';

/**
 * What the console keeps of an object: enough for lists, the tree and the picture of nodes, in about 300 bytes. The whole
 * object is fetched when a person opens it.
 */
export interface Row {
  /** Index of the kind among the {@link KindInfo}s of the feed. */
  readonly kind: number;
  readonly uid: string;
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly version: string;
  /** Raised by the server when the spec changes; 0 for kinds without one. */
  readonly generation: number;
  readonly health: Health;
  /** The state in words: `2/3 ready`, `CrashLoopBackOff`. */
  readonly text: string;
  /** The uid of the controlling owner, else of the first owner; empty: none. */
  readonly owner: string;
  /** The node of a pod; the object that an Event is about, as `Pod/web-0`; else empty. */
  readonly place: string;
  /** The field manager of the last write, as far as managedFields tell. */
  readonly by: string;
  /** Milliseconds since the epoch; 0: unknown. */
  readonly created: number;
  readonly deleting: boolean;
}

/** A kind of objects that the server lists and watches. */
export interface KindInfo {
  readonly group: string;
  readonly version: string;
  /** The plural name, for paths. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
}

/** `deployments.apps`; `pods` for the core group. */
export function kindId({ group, resource }: KindInfo): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** The path of a collection in a namespace (empty: in all, or in none), or of one of its objects. */
export function objectPath({ group, version, resource }: KindInfo, namespace: string, name?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const space = namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`;
  return `${root}${space}/${resource}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;
}
