import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import { controllerOf } from '@binnacle/client/controller';
import type { ResourceType, TypedObject } from '@binnacle/client/typed';

/** All stored objects, as they are after an event. Do not change them. */
export class ClusterState {
  /** Milliseconds since the epoch. */
  now = 0;
  readonly #kinds = new Map<string, Map<string, TypedObject>>();
  readonly #dependents = new Map<string, Map<string, TypedObject>>();
  readonly #uids = new Map<string, TypedObject>();

  /** All objects of a kind, in the order in which they were created. */
  list<T extends TypedObject>(type: ResourceType<T>): T[] {
    return [...(this.#kinds.get(kindOf(type))?.values() ?? [])].filter((object) => isOf(type, object));
  }

  get<T extends TypedObject>(type: ResourceType<T>, name: string, namespace = ''): T | undefined {
    const found = this.#kinds.get(kindOf(type))?.get(`${namespace}/${name}`);
    return found !== undefined && isOf(type, found) ? found : undefined;
  }

  /** The object with this UID, of any kind. */
  byUid(uid: string): TypedObject | undefined {
    return this.#uids.get(uid);
  }

  /** The objects of a kind that have the owner with this UID as their controller. */
  controlledBy<T extends TypedObject>(type: ResourceType<T>, uid: string): T[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])].filter((object) => isOf(type, object));
  }

  /** The objects of any kind that have the owner with this UID as their controller. */
  dependents(uid: string): readonly TypedObject[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  /** Every object. */
  *objects(): Generator<TypedObject> {
    for (const objects of this.#kinds.values()) yield* objects.values();
  }

  /** Records a change of an object. `before` is undefined for a creation, `after` for a deletion. */
  change(before: TypedObject | undefined, after: TypedObject | undefined): void {
    if (before !== undefined) this.#remove(before, after);
    if (after !== undefined) this.#set(after);
  }

  #set(object: TypedObject): void {
    const { uid = '' } = object.metadata;
    entry(this.#kinds, `${object.apiVersion} ${object.kind}`).set(keyOf(object), object);
    this.#uids.set(uid, object);
    const controller = controllerOf(object)?.uid;
    if (controller !== undefined) entry(this.#dependents, controller).set(uid, object);
  }

  #remove(before: TypedObject, after: TypedObject | undefined): void {
    const { uid = '' } = before.metadata;
    if (after === undefined) this.#kinds.get(`${before.apiVersion} ${before.kind}`)?.delete(keyOf(before));
    if (after?.metadata.uid !== uid) this.#uids.delete(uid);
    const controller = controllerOf(before)?.uid;
    if (controller === undefined || (after !== undefined && controllerOf(after)?.uid === controller)) return;
    const dependents = this.#dependents.get(controller);
    dependents?.delete(uid);
    if (dependents?.size === 0) this.#dependents.delete(controller);
  }
}

export function isOf<T extends TypedObject>(type: ResourceType<T>, object: TypedObject): object is T {
  return `${object.apiVersion} ${object.kind}` === kindOf(type);
}

function kindOf(type: ResourceType): string {
  return `${formatGroupVersion(type)} ${type.kind}`;
}

function keyOf({ metadata: { namespace = '', name = '' } }: TypedObject): string {
  return `${namespace}/${name}`;
}

function entry<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = new Map<string, V>();
  map.set(key, made);
  return made;
}
