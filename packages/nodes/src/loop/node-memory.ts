import type { Indexer } from '@binnacle/client/cache';
import type { Node, Pod } from '@binnacle/client/kinds/core/v1';
import { rejectionOf } from '../admission/index.js';
import { freeAddress, type LocalNode, podRangeOf } from '../node/index.js';
import { isAdmitted, type Rejection } from '../pods/index.js';

export const BY_NODE = 'node';

export const nodeNamesOf = ({ spec }: Pod): string[] => (spec?.nodeName === undefined ? [] : [spec.nodeName]);

/**
 * What kubelets know before the cache of pods shows it: the pods that they have admitted, and the addresses that they have
 * given. A kubelet that starts again finds both in the statuses of the pods.
 */
export class NodeMemory {
  readonly #pods: Pick<Indexer<Pod>, 'byIndex'>;
  readonly #admitted = new Set<string>();
  readonly #addresses = new Map<string, { readonly node: string; readonly address: string }>();

  constructor(pods: Pick<Indexer<Pod>, 'byIndex'>) {
    this.#pods = pods;
  }

  /** Why the node does not take the pod. Takes it otherwise, so that the next pod has less room. */
  admit(pod: Pod, node: Node): Rejection | undefined {
    const { uid = '' } = pod.metadata;
    const others = this.#running(node.metadata.name ?? '').filter(
      (other) => other.metadata.uid !== uid && (isAdmitted(other) || this.#admitted.has(other.metadata.uid ?? '')),
    );
    const rejection = rejectionOf(pod, node, others);
    if (rejection === undefined) this.#admitted.add(uid);
    return rejection;
  }

  /** The address that the pod has or gets; undefined: the node has none left. */
  addressFor({ metadata: { uid = '' }, status }: Pod, node: LocalNode, podCIDR?: string): string | undefined {
    const given = status?.podIP ?? this.#addresses.get(uid)?.address;
    if (given !== undefined) return given;
    const taken = new Set(this.#running(node.name).map((pod) => pod.status?.podIP ?? ''));
    for (const other of this.#addresses.values()) if (other.node === node.name) taken.add(other.address);
    const address = freeAddress(podRangeOf(node, podCIDR), taken) ?? freeAddress(podRangeOf(node, undefined), taken);
    if (address !== undefined) this.#addresses.set(uid, { node: node.name, address });
    return address;
  }

  /** The cache shows what the status of this pod says. */
  forget({ metadata: { uid = '' }, status }: Pod, isGone: boolean): void {
    if (isGone || status?.startTime !== undefined) this.#admitted.delete(uid);
    if (isGone || status?.podIP !== undefined) this.#addresses.delete(uid);
  }

  #running(node: string): Pod[] {
    return this.#pods
      .byIndex(BY_NODE, node)
      .filter(({ status }) => status?.phase !== 'Failed' && status?.phase !== 'Succeeded');
  }
}
