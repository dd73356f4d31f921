import { deepEqual } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { Node } from '@binnacle/client/kinds/core/v1';

/** Whether a node's change can let a pod pass. Heartbeats cannot. Upstream: `nodeSchedulingPropertiesChange`. */
export function changesScheduling(before: Node, after: Node): boolean {
  return !deepEqual(asJson(relevant(before)), asJson(relevant(after)));
}

function relevant({ metadata, spec, status }: Node) {
  return {
    labels: metadata.labels ?? {},
    annotations: metadata.annotations ?? {},
    taints: spec?.taints ?? [],
    unschedulable: spec?.unschedulable ?? false,
    allocatable: status?.allocatable ?? {},
    conditions: (status?.conditions ?? []).map(({ type, status }) => ({ type, status })),
    images: status?.images ?? [],
    declaredFeatures: status?.declaredFeatures ?? [],
  };
}
