import { test } from 'node:test';
import type { Deployment } from '../generated/types/apps-v1.js';
import type { Job } from '../generated/types/batch-v1.js';
import type { Event, Node, PersistentVolumeClaim, Service } from '../generated/types/core-v1.js';
import {
  validateDeploymentStatusUpdate,
  validateEvent,
  validateJobStatusUpdate,
  validateNewEvent,
  validateNewEventUpdate,
  validateNode,
  validateNodeStatusUpdate,
  validatePersistentVolumeClaimStatusUpdate,
  validateServiceStatusUpdate,
} from './index.js';
import { checkRule, checkUpdate, template } from './rules.testing.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' };

function status(fields: object): (object: { status?: object | undefined }) => void {
  return (object) => Object.assign(object, { status: { ...object.status, ...fields } });
}

test('replica counts', () => {
  const deployment: Deployment = {
    metadata,
    spec: { selector: {}, template: template() },
    status: { replicas: 3, readyReplicas: 2, availableReplicas: 1, collisionCount: 4 },
  };
  checkUpdate(validateDeploymentStatusUpdate, deployment, [
    [
      status({ updatedReplicas: -1 }),
      ['status.updatedReplicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      status({ readyReplicas: 4, availableReplicas: 5 }),
      [
        'status.readyReplicas: Invalid value: 4: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 5: cannot be greater than status.replicas',
        'status.availableReplicas: Invalid value: 5: cannot be greater than readyReplicas',
      ],
    ],
    [status({ collisionCount: undefined }), ['status.collisionCount: Invalid value: 0: cannot be decremented']],
  ]);
});

const job: Job = {
  metadata,
  spec: { completions: 5, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 1, template: template() },
  status: { active: 2, succeeded: 1, startTime: '2026-01-01T00:00:00Z', completedIndexes: '0' },
};
const held = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));

test('the status of jobs', () => {
  checkUpdate(validateJobStatusUpdate, job, [
    [
      status({
        active: 0,
        conditions: held('SuccessCriteriaMet', 'Complete'),
        completionTime: '2026-01-01T00:00:05Z',
      }),
      [],
    ],
    [
      status({ conditions: held('Complete', 'Failed'), completionTime: '2025-01-01T00:00:05Z' }),
      [
        'status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions',
        'status.completionTime: Invalid value: "2025-01-01T00:00:05Z": must be equal to or after `startTime`',
        'status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition',
        'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
        'status.active: Invalid value: 2: active>0 is invalid for finished job',
      ],
    ],
    [
      status({ completedIndexes: '3-2', failedIndexes: '0,7' }),
      [
        'status.completedIndexes: Invalid value: "3-2": error parsing completedIndexes: non-increasing order, previous: 3, current: 2',
        'status.failedIndexes: Invalid value: "0,7": error parsing failedIndexes: too large index: "7"',
      ],
    ],
    [
      status({ completedIndexes: '0-2,4', failedIndexes: '3,4' }),
      ['status.failedIndexes: Invalid value: "3,4": failedIndexes and completedIndexes overlap at index: 4'],
    ],
    [
      status({ succeeded: 0, ready: 3, startTime: undefined }),
      [
        'status.ready: Invalid value: 3: cannot set more ready pods than active',
        'status.succeeded: Invalid value: 0: cannot decrease the succeeded counter',
        'status.startTime: Invalid value: null: field is immutable for unsuspended job once set',
      ],
    ],
    [
      status({ uncountedTerminatedPods: { succeeded: ['a'], failed: ['', 'a'] } }),
      [
        'status.uncountedTerminatedPods.failed[0]: Invalid value: "": must not be empty',
        'status.uncountedTerminatedPods.failed[1]: Duplicate value: "a"',
      ],
    ],
  ]);
  const failing = { ...job, status: { ...job.status, conditions: held('FailureTarget') } };
  checkUpdate(validateJobStatusUpdate, failing, [
    [
      status({ conditions: [] }),
      ['status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition'],
    ],
  ]);
});

test('the status of services, claims and nodes', () => {
  const service: Service = {
    metadata,
    spec: { type: 'LoadBalancer' },
    status: { loadBalancer: { ingress: [{ ip: '010.0.0.1', ipMode: 'VIP' }] } },
  };
  const points = (...ingress: object[]) => status({ loadBalancer: { ingress } });
  checkUpdate(validateServiceStatusUpdate, service, [
    [
      points({ ip: 'x' }, { ipMode: 'VIP', hostname: '1.2.3.4' }, { ip: '1.2.3.4', ipMode: 'Odd' }),
      [
        'status.loadBalancer.ingress[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'status.loadBalancer.ingress[0].ipMode: Required value: must be specified when `ip` is set',
        'status.loadBalancer.ingress[1].ipMode: Forbidden: may not be specified when `ip` is not set',
        'status.loadBalancer.ingress[1].hostname: Invalid value: "1.2.3.4": must be a DNS name, not an IP address',
        'status.loadBalancer.ingress[2].ipMode: Unsupported value: "Odd": supported values: "Proxy", "VIP"',
      ],
    ],
    [
      (object) => (object.spec = { type: 'ClusterIP' }),
      ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
    ],
  ]);
  const claim: PersistentVolumeClaim = { metadata, spec: { accessModes: ['ReadWriteOnce'] }, status: {} };
  checkRule(validatePersistentVolumeClaimStatusUpdate, claim, [
    [
      status({ capacity: { storage: '-1' }, allocatedResourceStatuses: { cpu: 'Odd' } }),
      [
        'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
        'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "storage"',
        'status.allocatedResourceStatuses: Unsupported value: "cpu": supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"',
      ],
    ],
  ]);
  const node: Node = { metadata: { name: 'x' }, spec: { podCIDRs: ['10.0.0.0/24', '2001:db8::/64'] } };
  checkRule(validateNode, node, [
    [
      (object) => (object.spec = { podCIDRs: ['10.0.0.0/24', '10.1.0.0/24'] }),
      [
        'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.1.0.0/24"]: may specify no more than one CIDR for each IP family',
      ],
    ],
  ]);
  checkUpdate(validateNodeStatusUpdate, node, [
    [
      status({
        addresses: [
          { type: 'InternalIP', address: 'a' },
          { type: 'InternalIP', address: 'a' },
        ],
        declaredFeatures: ['B', 'A'],
      }),
      [
        'status.declaredFeatures[1]: Invalid value: "A": list must be sorted alphabetically',
        'status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"a"}',
      ],
    ],
  ]);
});

test('events of both groups', () => {
  const event: Event = {
    metadata,
    involvedObject: { namespace: 'n', name: 'p' },
    type: 'Normal',
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingComponent: 'example.com/c',
    reportingInstance: 'i',
    action: 'a',
    reason: 'r',
  };
  const unset = (object: Event): void => {
    object.reportingComponent = '';
  };
  const name =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const missing = (field: string): string[] => [
    `${field}: Required value`,
    `${field}: Invalid value: "": name part must be non-empty`,
    `${field}: Invalid value: "": ${name}`,
  ];
  checkRule(validateEvent, event, [[unset, missing('reportingComponent')]]);
  checkRule(validateNewEvent, event, [
    [unset, missing('reportingController')],
    [
      (object) => Object.assign(object, { type: 'Odd', count: 3, series: { count: 1 } }),
      [
        'series.count: Invalid value: "": should be at least 2',
        'series.lastObservedTime: Required value',
        'type: Invalid value: "": has invalid value: Odd',
        'count: Invalid value: "": needs to be unset',
      ],
    ],
  ]);
  checkUpdate(validateNewEventUpdate, event, [
    [
      (object) => (object.reason = 'other'),
      Array.from({ length: 2 }, () => 'reason: Invalid value: "other": field is immutable'),
    ],
    [
      (object) => (object.reportingComponent = 'example.com/d'),
      ['reportingController: Invalid value: "example.com/d": field is immutable'],
    ],
  ]);
});
