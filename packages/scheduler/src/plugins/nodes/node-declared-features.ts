import { deepEqual } from '@binnacle/apimachinery/json';
import { Node, type PodSpec } from '@binnacle/client/kinds/core/v1';
import { type Attempt, type NodeState, type Plugin, skip, success, unresolvable } from '../../framework/index.js';
import { isOf } from '../objects.js';

/** Permits nodes whose kubelet declares the features that the pod needs. */
export const nodeDeclaredFeatures: Plugin = {
  name: 'NodeDeclaredFeatures',
  interests: [
    {
      resource: 'Node',
      actions: ['Add', 'Update'],
      isWorthTrying: (_, { before, after }) =>
        !isOf(Node, before) || !isOf(Node, after) || !deepEqual(declaredBy(before), declaredBy(after)),
    },
  ],
  preFilter: ({ pod }) => ({ status: neededFeatures(pod.spec).length === 0 ? skip : success }),
  filter: ({ pod }: Attempt, { node }: NodeState) => {
    const declared = declaredBy(node);
    return neededFeatures(pod.spec).every((feature) => declared.includes(feature))
      ? success
      : unresolvable("node(s) didn't match Pod's required features");
  },
};

function declaredBy({ status }: Node): string[] {
  return [...(status?.declaredFeatures ?? [])];
}

/** Upstream: `k8s.io/component-helpers/nodedeclaredfeatures/features`, those that scheduling depends on. */
function neededFeatures({ containers, initContainers = [], hostNetwork, hostUsers }: PodSpec): string[] {
  const restartsAll = [...containers, ...initContainers].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
  return [
    ...(restartsAll ? ['RestartAllContainersOnContainerExits'] : []),
    ...(hostNetwork === true && hostUsers === false ? ['UserNamespacesHostNetworkSupport'] : []),
  ];
}
