import { type Plugin, skip, success, unschedulable } from '../../framework/index.js';

/** Rejects nodes on which another pod has one of the pod's host ports. */
export const nodePorts: Plugin = {
  name: 'NodePorts',
  interests: [
    { resource: 'AssignedPod', actions: ['Delete'] },
    { resource: 'Node', actions: ['Add'] },
  ],
  preFilter: ({ pod }) => ({ status: pod.ports.length === 0 ? skip : success }),
  filter: ({ pod }, node) =>
    node.hasPort(pod.ports) ? unschedulable("node(s) didn't have free ports for the requested pod ports") : success,
};
