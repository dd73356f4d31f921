import { objectKey } from '@binnacle/client/cache';
import type { ObjectChange, ReconcileRequest } from '@binnacle/client/controller';
import type { Node } from '@binnacle/client/kinds/core/v1';
import type { TypedObject } from '@binnacle/client/typed';
import { isNodeReady } from '../common/index.js';
import { ZONE } from './endpoint.js';
import { type HintMemory, rememberNothing } from './plan-hints.js';
import { isOverloaded, zoneShares, type ZoneShares } from './zone-shares.js';

/** The hints of services and the zones of nodes. In memory only: a new process computes hints again. */
export class Topology {
  readonly #nodes: () => readonly Node[];
  readonly #hints = new Map<string, { readonly request: ReconcileRequest; readonly hints: HintMemory }>();
  #shares: { readonly shares: ZoneShares | undefined } | undefined;

  constructor(nodes: () => readonly Node[]) {
    this.#nodes = nodes;
  }

  get shares(): ZoneShares | undefined {
    this.#shares ??= { shares: zoneShares(this.#nodes()) };
    return this.#shares.shares;
  }

  hintsOf(service: TypedObject): HintMemory | undefined {
    return this.#hints.get(objectKey(service))?.hints;
  }

  remember({ metadata }: TypedObject, hints: HintMemory): void {
    const { namespace, name = '' } = metadata;
    const request = { namespace, name };
    if (hints === rememberNothing) this.forget(request);
    else this.#hints.set(objectKey({ metadata }), { request, hints });
  }

  forget(metadata: ReconcileRequest): void {
    this.#hints.delete(objectKey({ metadata }));
  }

  /** The services of which a zone has too few endpoints, now that the nodes have changed. */
  overloadedAfterChange(): ReconcileRequest[] {
    this.#shares = undefined;
    // Nodes are many, and services with such hints are few.
    if (this.#hints.size === 0) return [];
    return [...this.#hints.values()]
      .filter(({ hints }) => [...hints.allocated.values()].some((allocated) => isOverloaded(allocated, this.shares)))
      .map(({ request }) => request);
  }
}

/** Drops changes that leave readiness and zone of a node as they are. */
export function changesTopology(change: ObjectChange<Node>): boolean {
  if (change.type !== 'update') return change.type !== 'resync';
  const { before, object } = change;
  return (
    isNodeReady(before) !== isNodeReady(object) || before.metadata.labels?.[ZONE] !== object.metadata.labels?.[ZONE]
  );
}
