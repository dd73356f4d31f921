import type { ObjectChange } from '@binnacle/client/controller';
import type { Node } from '@binnacle/client/kinds/core/v1';
import { isBackend, isIncluded } from './load-balancer.js';

/** The nodes that load balancers send traffic to. */
export class Backends {
  readonly #nodes: () => readonly Node[];
  #text: string | undefined;

  constructor(nodes: () => readonly Node[]) {
    this.#nodes = nodes;
  }

  /** Equal for equal nodes; empty without any. */
  get text(): string {
    this.#text ??= this.#nodes()
      .filter(isBackend)
      .map(({ metadata, spec }) => `${metadata.name ?? ''}=${spec?.providerID ?? ''}`)
      .sort()
      .join(' ');
    return this.#text;
  }

  /** Call it when nodes have changed. */
  refresh(): void {
    this.#text = undefined;
  }
}

/** Drops changes of a node that do not make load balancers look at their nodes. Upstream: `shouldSyncUpdatedNode`. */
export function changesBackends(change: ObjectChange<Node>): boolean {
  if (change.type !== 'update') return change.type !== 'resync';
  const { before, object } = change;
  return (
    isIncluded(before.metadata.labels) !== isIncluded(object.metadata.labels) ||
    before.spec?.providerID !== object.spec?.providerID
  );
}
