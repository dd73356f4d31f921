import { type Plugin, success, unresolvable } from '../framework/index.js';

/** Keeps pods with scheduling gates out of the queue. The server writes their condition. */
export const schedulingGates: Plugin = {
  name: 'SchedulingGates',
  // The queue tries a gated pod again whenever the pod changes.
  interests: [],
  preEnqueue: ({ spec }) => {
    const gates = (spec.schedulingGates ?? []).map(({ name }) => name);
    return gates.length === 0 ? success : unresolvable(`waiting for scheduling gates: [${gates.join(' ')}]`);
  },
};
