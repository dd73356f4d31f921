import { serviceAccountUser, type UserInfo } from '../authentication/index.js';
import type { RoleBinding, Subject } from './role-source.js';

interface Indexed {
  readonly keys: readonly string[];
  /** Its place among all bindings. */
  place: number;
  /** The number of the last update that had it. */
  update: number;
}

/**
 * Role bindings by the users and groups that they name, so that a decision looks only at those of its user. `update` takes all
 * bindings, and indexes only the new ones.
 */
export class SubjectIndex {
  readonly #known = new Map<RoleBinding, Indexed>();
  #updates = 0;
  readonly #bySubject = new Map<string, Set<RoleBinding>>();

  /** Takes the current bindings, in order. An unchanged binding is the same object as before. */
  update(bindings: Iterable<RoleBinding>): void {
    const update = ++this.#updates;
    let place = 0;
    for (const binding of bindings) {
      const known = this.#known.get(binding);
      if (known === undefined) this.#add(binding, place);
      else {
        known.place = place;
        known.update = update;
      }
      place++;
    }
    if (this.#known.size === place) return;
    for (const [binding, known] of this.#known) if (known.update !== update) this.#remove(binding);
  }

  /** The bindings of a namespace ('' = of the cluster) that name the user or one of its groups, in order. */
  bindingsOf({ name, groups }: UserInfo, namespace: string): readonly RoleBinding[] {
    const found = new Set(this.#bySubject.get(keyOf(namespace, 'User', name)));
    for (const group of groups) {
      for (const binding of this.#bySubject.get(keyOf(namespace, 'Group', group)) ?? []) found.add(binding);
    }
    const bindings = [...found];
    return bindings.length < 2 ? bindings : bindings.sort((left, right) => this.#placeOf(left) - this.#placeOf(right));
  }

  #placeOf(binding: RoleBinding): number {
    return this.#known.get(binding)?.place ?? 0;
  }

  #add(binding: RoleBinding, place: number): void {
    const namespace = binding.metadata.namespace ?? '';
    const keys = [...new Set((binding.subjects ?? []).flatMap((subject) => keyOfSubject(subject, namespace) ?? []))];
    this.#known.set(binding, { keys, place, update: this.#updates });
    for (const key of keys) {
      const same = this.#bySubject.get(key);
      if (same === undefined) this.#bySubject.set(key, new Set([binding]));
      else same.add(binding);
    }
  }

  #remove(binding: RoleBinding): void {
    for (const key of this.#known.get(binding)?.keys ?? []) {
      const same = this.#bySubject.get(key);
      same?.delete(binding);
      if (same?.size === 0) this.#bySubject.delete(key);
    }
    this.#known.delete(binding);
  }
}

/** A service account is a user. Without a namespace, it is in that of the binding. */
function keyOfSubject({ kind, name, namespace: own = '' }: Subject, namespace: string): string | undefined {
  if (kind === 'User' || kind === 'Group') return keyOf(namespace, kind, name);
  const within = own || namespace;
  if (kind !== 'ServiceAccount' || within === '') return undefined;
  return keyOf(namespace, 'User', serviceAccountUser({ namespace: within, name }));
}

function keyOf(namespace: string, kind: 'User' | 'Group', name: string): string {
  return `${namespace}/${kind}/${name}`;
}
