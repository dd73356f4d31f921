import { loops } from '@binnacle/controllers/table';
import type { ServeOption } from '../serve-option.js';
import { loadBalancerIPRangeDescription, loopOptions } from './loop-options.js';

/** What runs beside the API server: control loops, a scheduler and nodes. */
export const clusterOptions: readonly ServeOption[] = [
  {
    name: 'service-cluster-ip-range',
    type: 'text',
    placeholder: 'CIDR',
    key: 'serviceClusterIPRange',
    default: '10.0.0.0/24',
    description: 'range of service cluster IPs; for dual stack, one IPv4 and one IPv6 range, separated by a comma',
  },
  {
    name: 'load-balancer-ip-range',
    type: 'text',
    placeholder: 'CIDR',
    key: 'loadBalancerIPRange',
    default: 'none: such services stay pending',
    description: loadBalancerIPRangeDescription,
  },
  {
    name: 'controllers',
    type: 'text',
    placeholder: 'LIST',
    key: 'controllers',
    default: '*',
    description: `control loops to run, separated by commas: * for all, a name to add one, -name to leave one out; an empty list runs none. Known: ${loops.map(({ name }) => name).join(', ')}`,
  },
  ...loopOptions,
  {
    name: 'scheduler',
    type: 'switch',
    key: 'scheduler',
    default: 'true, unless --controllers selects none',
    description: 'run a scheduler, which assigns pods to nodes',
  },
  {
    name: 'scheduler-config',
    type: 'text',
    placeholder: 'FILE',
    key: 'schedulerConfigFile',
    default: 'one profile with the default plugins',
    description: 'file with a KubeSchedulerConfiguration v1, as for --config of kube-scheduler',
  },
  {
    name: 'nodes',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'nodes',
    default: '0',
    description: 'run this many simulated nodes, whose pods run without containers; at most 5000',
  },
  {
    name: 'node-metrics',
    type: 'switch',
    key: 'nodeMetrics',
    default: 'true',
    description: 'serve the usage of simulated pods and nodes as metrics.k8s.io, unless another server does',
  },
  {
    name: 'process-nodes',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'processNodes',
    default: '0',
    description:
      'experimental: run this many nodes whose containers are processes of this machine; at most 8, with --allow-processes and --image-command',
  },
  {
    name: 'allow-processes',
    type: 'switch',
    key: 'allowProcesses',
    default: 'false',
    description:
      'confirm that everyone who may create pods may run the programs of --image-command as you, with arguments of their own and without isolation',
  },
  {
    name: 'image-command',
    type: 'texts',
    placeholder: 'IMAGE=COMMAND',
    key: 'imageCommands',
    description:
      'the program that process nodes run instead of an image, such as controller:latest=./bin/manager; repeat the option for several images',
  },
  {
    name: 'image-commands-file',
    type: 'text',
    placeholder: 'FILE',
    key: 'imageCommandsFile',
    description: 'file with further programs of images, one IMAGE=COMMAND a line',
  },
];
