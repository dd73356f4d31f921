import type { Node, Pod } from '@binnacle/api/types/core-v1';
import { Quantity } from '@binnacle/apimachinery/quantity';
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.js';
import { refusal } from '../refuse.js';
import { podAmountsWithOverhead } from '@binnacle/api/quota';
import { changedPodOf, nodeOf } from './pod-of-node.js';
import type { NodeSource } from './pod-topology-labels.js';

const OS_LABEL = 'kubernetes.io/os';

/**
 * Refuses a resize beyond the node's capacity, or on a node that does not run Linux.
 * Upstream: `plugin/pkg/admission/podresize`.
 */
export function podResizeValidator(source: NodeSource): AdmissionPlugin {
  return {
    name: 'PodResizeValidator',
    resources: ['pods'],
    handles: (operation) => operation === 'UPDATE',
    validate(attributes) {
      const changed = attributes.subresource === 'resize' ? changedPodOf(attributes) : undefined;
      return changed === undefined ? undefined : check(attributes, changed.pod);
    },
  };

  async function check(attributes: AdmissionAttributes, pod: Readonly<Pod>): Promise<void> {
    const node = await nodeOf(attributes, pod, source);
    const os = node.metadata?.labels?.[OS_LABEL] ?? 'linux';
    if (os !== 'linux') {
      const name = JSON.stringify(node.metadata?.name ?? '');
      const why = `pod resize is only supported on linux nodes, node ${name} is ${JSON.stringify(os)}`;
      throw refusal(attributes, why, [{ reason: 'UnsupportedPlatform' }]);
    }
    const excess = excessOf(pod, node);
    if (excess.length === 0) return;
    const why = `node didn't have enough allocatable resources: ${excess.join('; ')}`;
    throw refusal(attributes, why, [{ reason: 'NodeCapacity' }]);
  }
}

function excessOf({ spec }: Readonly<Pod>, { status }: Readonly<Node>): string[] {
  if (spec === undefined) return [];
  const requests = podAmountsWithOverhead(spec, 'requests');
  return (['cpu', 'memory'] as const).flatMap((name) => {
    const requested = requests.get(name) ?? Quantity.of(0);
    const allocatable = Quantity.parse(status?.allocatable?.[name] ?? '0');
    if (requested.compare(allocatable) <= 0) return [];
    const shown = (amount: Quantity) => (name === 'cpu' ? amount.milliValue() : amount.asInt());
    return [`${name}, requested: ${shown(requested)}, allocatable: ${shown(allocatable)}`];
  });
}
