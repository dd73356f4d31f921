import type { ApiResource } from '@binnacle/client/discovery';
import { formatGroupVersion } from '@binnacle/apimachinery/meta';
import type { ObjectSink } from '@binnacle/client/cache';
import type { PartialObjectMetadata } from '@binnacle/client/typed';
import { compactText } from './compact.js';
import type { Consequences } from './consequences.js';
import type { DependencyGraph } from './graph.js';
import type { Identity } from './identity.js';

/** Tells the graph of the objects of one resource. The graph is all that is kept of them. */
export class ResourceMonitor implements ObjectSink<PartialObjectMetadata> {
  readonly #apiVersion: string;
  readonly #kind: string;
  readonly #graph: DependencyGraph;
  readonly #follow: (consequences: Consequences) => void;
  #uids: Set<string> = new Set();
  #namespace = '';

  constructor({ resource, kind }: ApiResource, graph: DependencyGraph, follow: (consequences: Consequences) => void) {
    this.#apiVersion = formatGroupVersion(resource);
    this.#kind = kind.kind;
    this.#graph = graph;
    this.#follow = follow;
  }

  replace(objects: readonly PartialObjectMetadata[]): void {
    const before = this.#uids;
    this.#uids = new Set();
    for (const object of objects) this.set(object);
    // That they are not in the list is no proof that they are gone.
    for (const uid of before) if (!this.#uids.has(uid)) this.#follow(this.#graph.forget(uid));
  }

  set(object: PartialObjectMetadata): void {
    const identity = this.#identityOf(object);
    if (identity === undefined) return;
    this.#uids.add(identity.uid);
    this.#follow(this.#graph.observe(identity, object.metadata));
  }

  delete(object: PartialObjectMetadata): void {
    const identity = this.#identityOf(object);
    if (identity === undefined) return;
    this.#uids.delete(identity.uid);
    this.#follow(this.#graph.remove(identity));
  }

  /** The resource is not watched any more. */
  leave(): void {
    for (const uid of this.#uids) this.#follow(this.#graph.forget(uid));
    this.#uids.clear();
  }

  #identityOf({ metadata }: PartialObjectMetadata): Identity | undefined {
    const { uid = '', name = '', namespace = '' } = metadata;
    if (uid === '') return undefined;
    const known = this.#graph.node(uid)?.identity;
    if (known !== undefined && this.#fits(known, name, namespace)) return known;
    // Objects of a namespace come one after the other.
    if (namespace !== this.#namespace) this.#namespace = compactText(namespace);
    return {
      apiVersion: this.#apiVersion,
      kind: this.#kind,
      namespace: this.#namespace,
      name: compactText(name),
      uid: compactText(uid),
    };
  }

  #fits(known: Identity, name: string, namespace: string): boolean {
    const isThisKind = known.kind === this.#kind && known.apiVersion === this.#apiVersion;
    return isThisKind && known.name === name && known.namespace === namespace;
  }
}
