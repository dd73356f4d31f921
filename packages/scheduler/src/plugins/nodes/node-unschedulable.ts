import { type Plugin, success, unresolvable } from '../../framework/index.js';

const TAINT = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/** Rejects cordoned nodes. */
export const nodeUnschedulable: Plugin = {
  name: 'NodeUnschedulable',
  interests: [{ resource: 'Node', actions: ['Add', 'Update'] }],
  filter: ({ pod }, { node }) =>
    node.spec?.unschedulable !== true || pod.tolerations.permit(TAINT)
      ? success
      : unresolvable('node(s) were unschedulable'),
};
