import { portsConflict } from '@binnacle/api/pods';
import { type Plugin, skip, success, unschedulable } from '../framework/index.js';

/** Rejects nodes on which another pod has one of the pod's host ports. */
export const nodePorts: Plugin = {
  name: 'NodePorts',
  interests: [
    { resource: 'AssignedPod', actions: ['Delete'] },
    { resource: 'Node', actions: ['Add'] },
  ],
  preFilter: ({ pod }) => ({ status: pod.ports.length === 0 ? skip : success }),
  filter: ({ pod }, node) => {
    for (const { ports } of node.pods) {
      if (ports.some((taken) => pod.ports.some((wanted) => portsConflict(wanted, taken)))) {
        return unschedulable("node(s) didn't have free ports for the requested pod ports");
      }
    }
    return success;
  },
};
