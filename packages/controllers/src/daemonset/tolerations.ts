import type { PodSpec, Toleration } from '@binnacle/client/kinds/core/v1';

const always: readonly Toleration[] = [
  { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/disk-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/pid-pressure', operator: 'Exists', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
];

/** The host's network needs no plugin, so such a pod may start before the node's network is there. */
const onHostNetwork: Toleration = {
  key: 'node.kubernetes.io/network-unavailable',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** The tolerations of a daemon's pod: problems of its node are no reason to leave it. Those of the template with the same meaning are replaced. */
export function daemonTolerations({ tolerations = [], hostNetwork }: Partial<PodSpec>): readonly Toleration[] {
  const added = hostNetwork === true ? [...always, onHostNetwork] : always;
  return added.reduce(withToleration, tolerations);
}

function withToleration(tolerations: readonly Toleration[], added: Toleration): readonly Toleration[] {
  const isSame = (one: Toleration) =>
    one.key === added.key && one.effect === added.effect && one.operator === added.operator && (one.value ?? '') === '';
  if (!tolerations.some(isSame)) return [...tolerations, added];
  return tolerations.map((one) => (isSame(one) ? added : one));
}
