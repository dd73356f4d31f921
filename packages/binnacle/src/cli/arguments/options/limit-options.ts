import type { ServeOption } from '../serve-option.js';

/** How much requests may use. */
export const limitOptions: readonly ServeOption[] = [
  {
    name: 'workers',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'workers',
    default: '1',
    description:
      'processes that serve requests, to use several cores; with 2 or more, one further process starts them, owns the store and runs the control loops',
  },
  {
    name: 'max-memory',
    type: 'bytes',
    placeholder: 'BYTES',
    key: 'maxMemoryBytes',
    default: '80% of the memory limit, or half of the machine',
    description:
      'memory the server may use, such as 512Mi or 2Gi; a request that would exceed it gets 429, which clients retry. Node.js limits its heap separately (--max-old-space-size); the smaller limit applies',
  },
  {
    name: 'enable-priority-and-fairness',
    type: 'switch',
    key: 'enablePriorityAndFairness',
    default: 'true',
    description:
      'let requests wait in fair queues, as FlowSchemas and PriorityLevelConfigurations say; false only limits how many are served at a time',
  },
  {
    name: 'max-requests-inflight',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'maxRequestsInflight',
    default: '400',
    description:
      'added to --max-mutating-requests-inflight, the seats of all priority levels; without priority and fairness, the most requests that read at a time, 0 for no limit',
  },
  {
    name: 'max-mutating-requests-inflight',
    type: 'count',
    placeholder: 'NUMBER',
    key: 'maxMutatingRequestsInflight',
    default: '200',
    description:
      'added to --max-requests-inflight, the seats of all priority levels; without priority and fairness, the most requests that write at a time, 0 for no limit',
  },
  {
    name: 'min-request-timeout',
    type: 'seconds',
    placeholder: 'SECONDS',
    key: 'minRequestTimeoutSeconds',
    default: '1800',
    description:
      'shortest duration of a watch that names no timeout; it ends at a random time up to twice as long; 0 never ends it',
  },
];
