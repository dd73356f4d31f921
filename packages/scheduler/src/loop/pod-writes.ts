import type { Clock } from '@binnacle/apimachinery/clock';
import type { DynamicClient } from '@binnacle/client/dynamic';
import { Binding, Pod } from '@binnacle/client/kinds/core/v1';
import { isConflict, isNotFound } from '@binnacle/client/rest';
import type { PodFacts } from '../framework/index.js';
import type { WriteBinding } from '../plugins/index.js';
import { LatestWrites } from './latest-writes.js';
import { laterChange, type StatusChange, statusPatch } from './status-patch.js';

/** Finds the pod as the cache has it; undefined if it is gone. */
export type CurrentPod = (pod: PodFacts) => Pod | undefined;

export function bindingWriter(client: DynamicClient): WriteBinding {
  return async ({ namespace, name, uid }, node, signal) => {
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    await client
      .resource(Pod)
      .namespace(namespace)
      .subresource<Binding>('binding', Binding)
      .create(name, { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target }, { signal });
  };
}

/** Writes the statuses of pods, of each pod one at a time. */
export class PodStatuses {
  readonly #client: DynamicClient;
  readonly #clock: Clock;
  readonly #current: CurrentPod;
  readonly #writes = new LatestWrites<StatusChange>(laterChange);

  constructor(client: DynamicClient, clock: Clock, current: CurrentPod) {
    this.#client = client;
    this.#clock = clock;
    this.#current = current;
  }

  patch(pod: PodFacts, change: StatusChange, signal: AbortSignal): Promise<void> {
    return this.#writes.write(pod.uid, change, (latest) => this.#write(pod, latest, signal));
  }

  async #write(pod: PodFacts, change: StatusChange, signal: AbortSignal): Promise<void> {
    const body = statusPatch(this.#current(pod) ?? pod.pod, change, this.#clock.now());
    if (body === undefined) return;
    try {
      await this.#client
        .resource(Pod)
        .namespace(pod.namespace)
        .status.patch(pod.name, { type: 'strategic', body }, { signal });
    } catch (error) {
      // The pod is gone, and another one may have its name.
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
