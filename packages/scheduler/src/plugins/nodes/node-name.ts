import { type Plugin, success, unresolvable } from '../../framework/index.js';

/** Permits only the node that the pod names. */
export const nodeName: Plugin = {
  name: 'NodeName',
  interests: [{ resource: 'Node', actions: ['Add'] }],
  filter: ({ pod }, { name }) => {
    const { nodeName = '' } = pod.spec;
    return nodeName === '' || nodeName === name
      ? success
      : unresolvable("node(s) didn't match the requested node name");
  },
};
