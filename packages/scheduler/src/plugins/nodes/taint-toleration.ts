import type { Tolerations } from '@binnacle/api/pods';
import { type Attempt, type NodeState, type Plugin, success, unresolvable } from '../../framework/index.js';
import { stretch } from '../normalize.js';

/** Rejects nodes with taints that the pod does not tolerate, and prefers nodes without taints of effect PreferNoSchedule. */
export const taintToleration: Plugin = {
  name: 'TaintToleration',
  interests: [{ resource: 'Node', actions: ['Add', 'Update'] }],
  filter: ({ pod }, { node }) =>
    hasUntoleratedTaint(node.spec?.taints, pod.tolerations)
      ? unresolvable('node(s) had untolerated taint(s)')
      : success,
  score: (attempt, node) => avoidedTaints(attempt, node),
  normalizeScore: (_, scores) => stretch(scores, true),
};

type Taints = NonNullable<NodeState['node']['spec']>['taints'];

/** Whether a taint keeps the pod from the node. */
export function hasUntoleratedTaint(taints: Taints = [], tolerations: Tolerations): boolean {
  return taints.some((taint) => taint.effect !== 'PreferNoSchedule' && !tolerations.permit(taint));
}

function avoidedTaints({ pod }: Attempt, { node }: NodeState): number {
  const avoided = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'PreferNoSchedule');
  return avoided.filter((taint) => !pod.tolerations.permit(taint)).length;
}
