import { test } from 'node:test';
import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '../../generated/types/resource-v1.js';
import {
  validateDeviceClass,
  validateDeviceClassUpdate,
  validateResourceClaim,
  validateResourceClaimStatusUpdate,
  validateResourceClaimTemplate,
  validateResourceClaimUpdate,
  validateResourceSlice,
  validateResourceSliceUpdate,
} from './index.js';
import { checkRule, checkUpdate } from '../rules.testing.js';

const metadata = { name: 'x', namespace: 'n', uid: 'u', resourceVersion: '1' };
const cluster = { name: 'x', uid: 'u', resourceVersion: '1' };
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const NAMED = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

const claim: ResourceClaim = {
  metadata,
  spec: {
    devices: {
      requests: [
        { name: 'gpu', exactly: { deviceClassName: 'gpu.example.com', allocationMode: 'ExactCount', count: 1 } },
        {
          name: 'any',
          firstAvailable: [
            { name: 'big', deviceClassName: 'big.example.com', allocationMode: 'All' },
            { name: 'small', deviceClassName: 'small.example.com', allocationMode: 'ExactCount', count: 2 },
          ],
        },
      ],
      constraints: [{ requests: ['gpu', 'any/big'], matchAttribute: 'example.com/numa' }],
      config: [{ requests: ['gpu'], opaque: { driver: 'gpu.example.com', parameters: { mode: 'shared' } } }],
    },
  },
};

function devices(fields: object): (object: ResourceClaim) => void {
  return (object) => Object.assign(object.spec.devices ?? {}, fields);
}

test('resource claims', () => {
  const request = (fields: object) => devices({ requests: [fields], constraints: [], config: [] });
  const exactly = (fields: object) =>
    request({ name: 'a', exactly: { deviceClassName: 'c', allocationMode: 'ExactCount', count: 1, ...fields } });
  const at = 'spec.devices.requests[0]';
  checkRule(validateResourceClaim, claim, [
    [request({ name: 'a' }), [`${at}: Required value: exactly one of \`exactly\` or \`firstAvailable\` is required`]],
    [exactly({ deviceClassName: '' }), [`${at}.exactly.deviceClassName: Required value`]],
    [exactly({ count: 0 }), [`${at}.exactly.count: Invalid value: 0: must be greater than zero`]],
    [
      exactly({ allocationMode: 'All' }),
      [`${at}.exactly.count: Invalid value: 1: must not be specified when allocationMode is 'All'`],
    ],
    [
      exactly({ allocationMode: 'Some' }),
      [`${at}.exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"`],
    ],
    [exactly({ selectors: [{}] }), [`${at}.exactly.selectors[0].cel: Required value`]],
    [
      exactly({ tolerations: [{ key: 'k', operator: 'Exists', value: 'v', effect: 'Odd' }] }),
      [
        `${at}.exactly.tolerations[0].value: Invalid value: "v": must be empty for operator \`Exists\``,
        `${at}.exactly.tolerations[0].effect: Unsupported value: "Odd": supported values: "NoExecute", "NoSchedule", "None"`,
      ],
    ],
    [
      devices({ requests: [...(claim.spec.devices?.requests ?? []), claim.spec.devices?.requests?.[0]] }),
      ['spec.devices.requests[2]: Duplicate value: "gpu"'],
    ],
    [
      devices({ constraints: [{ requests: ['gpu/x', 'a/b/c', 'Q'], matchAttribute: 'numa' }] }),
      [
        `spec.devices.constraints[0].requests[0]: Invalid value: "gpu/x": ${NAMED}`,
        `spec.devices.constraints[0].requests[1]: Invalid value: "a/b/c": ${NAMED}`,
        `spec.devices.constraints[0].requests[2]: Invalid value: "Q": ${LABEL}`,
        `spec.devices.constraints[0].requests[2]: Invalid value: "Q": ${NAMED}`,
        'spec.devices.constraints[0].matchAttribute: Invalid value: "numa": a fully qualified name must be a domain and a name separated by a slash',
      ],
    ],
    [
      devices({ config: [{}, { opaque: { driver: 'd', parameters: [] } }, { opaque: { driver: 'd' } }] }),
      [
        'spec.devices.config[0].opaque: Required value',
        'spec.devices.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object',
        'spec.devices.config[2].opaque.parameters: Required value',
      ],
    ],
    [
      devices({ constraints: Array.from({ length: 33 }, () => ({ matchAttribute: 'a/b' })) }),
      ['spec.devices.constraints: Too many: 33: must have at most 32 items'],
    ],
  ]);
  const smallest: ResourceClaim = { metadata, spec: { devices: { requests: [] } } };
  checkUpdate(validateResourceClaimUpdate, smallest, [
    [
      (object) => (object.spec = { devices: { requests: [{ name: 'a' }] } }),
      ['spec: Invalid value: {"devices":{"requests":[{"name":"a"}]}}: field is immutable'],
    ],
  ]);
});

const allocated: ResourceClaim = {
  ...claim,
  status: {
    allocation: {
      devices: { results: [{ request: 'gpu', driver: 'gpu.example.com', pool: 'node/a', device: 'gpu-0' }] },
    },
    reservedFor: [{ resource: 'pods', name: 'p', uid: 'u1' }],
    devices: [
      {
        driver: 'gpu.example.com',
        pool: 'node/a',
        device: 'gpu-0',
        networkData: { interfaceName: 'eth0', ips: ['10.9.8.7/24'] },
      },
    ],
  },
};

test('the status of resource claims', () => {
  const status = (fields: object) => (object: ResourceClaim) => Object.assign(object.status ?? {}, fields);
  const first = allocated.status?.devices?.[0];
  checkRule((object) => validateResourceClaimStatusUpdate(object, claim), allocated, [
    [
      status({ reservedFor: [{}] }),
      [
        'status.reservedFor[0].resource: Required value',
        'status.reservedFor[0].name: Required value',
        'status.reservedFor[0].uid: Required value',
      ],
    ],
    [
      status({ allocation: undefined, devices: [] }),
      ['status.reservedFor: Forbidden: may not be specified when `allocated` is not set'],
    ],
    [
      status({ devices: [{ ...first, device: 'gpu-1' }] }),
      [
        'status.devices[0]: Invalid value: {"Driver":{},"Pool":{},"Device":{},"ShareID":{}}: must be an allocated device in the claim',
      ],
    ],
    [
      status({ devices: [{ ...first, networkData: { ips: ['10.9.8.7', '2001:DB8::1/64'] } }] }),
      [
        'status.devices[0].networkData.ips[0]: Invalid value: "10.9.8.7": must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)',
        'status.devices[0].networkData.ips[1]: Invalid value: "2001:DB8::1/64": must be in canonical form ("2001:db8::1/64")',
      ],
    ],
    [
      status({
        devices: [],
        allocation: {
          devices: {
            results: [
              {
                request: 'x',
                driver: 'd',
                pool: '',
                device: 'd',
                shareID: 'Z',
                bindingConditions: ['a'],
              },
            ],
            config: [{ source: 'Odd', opaque: { driver: 'd', parameters: {} } }],
          },
        },
      }),
      [
        `status.allocation.devices.results[0].request: Invalid value: "x": ${NAMED}`,
        'status.allocation.devices.results[0].pool: Required value',
        'status.allocation.devices.results[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions',
        'status.allocation.devices.results[0].shareID: Invalid value: "Z": error validating uid: invalid UUID length: 1',
        'status.allocation.devices.config[0].source: Unsupported value: "Odd": supported values: "FromClaim", "FromClass"',
      ],
    ],
  ]);
  checkUpdate(validateResourceClaimStatusUpdate, { ...allocated, metadata: { ...metadata, deletionTimestamp: 't' } }, [
    [
      (object) => object.status?.reservedFor?.push({ resource: 'pods', name: 'q', uid: 'u2' }),
      [
        'status.reservedFor: Forbidden: new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
      ],
    ],
    [status({ allocation: {}, devices: [] }), ['status.allocation: Invalid value: {}: field is immutable']],
  ]);
});

test('templates of resource claims', () => {
  const template: ResourceClaimTemplate = {
    metadata,
    spec: { metadata: { labels: { a: 'b' } }, spec: structuredClone(claim.spec) },
  };
  checkRule(validateResourceClaimTemplate, template, [
    [
      (object) => (object.spec.metadata = { name: 'x', annotations: { a: 'b' } }),
      ['spec.metadata.name: Forbidden: cannot be set'],
    ],
    [
      (object) => (object.spec.spec = { devices: { requests: [{ name: 'A' }] } }),
      [
        `spec.spec.devices.requests[0].name: Invalid value: "A": ${LABEL}`,
        'spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required',
      ],
    ],
  ]);
});

test('device classes', () => {
  const deviceClass: DeviceClass = {
    metadata: cluster,
    spec: {
      selectors: [{ cel: { expression: 'true' } }],
      config: [{ opaque: { driver: 'd', parameters: { a: 1 } } }],
      extendedResourceName: 'example.com/gpu',
    },
  };
  const cases = [
    [
      (object: DeviceClass) => (object.spec.extendedResourceName = 'gpu'),
      ['spec.extendedResourceName: Invalid value: "gpu": must be a valid extended resource name'],
    ],
    [
      (object: DeviceClass) => (object.spec.selectors = [{ cel: { expression: 'x'.repeat(10241) } }]),
      ['spec.selectors[0].cel.expression: Too long: may not be more than 10240 bytes'],
    ],
  ] as const;
  checkRule(validateDeviceClass, deviceClass, cases);
  checkUpdate(validateDeviceClassUpdate, deviceClass, cases);
});

const slice: ResourceSlice = {
  metadata: cluster,
  spec: {
    driver: 'gpu.example.com',
    pool: { name: 'node-a', generation: 1, resourceSliceCount: 1 },
    nodeName: 'node-a',
    devices: [
      {
        name: 'gpu-0',
        attributes: { model: { string: 'big' }, 'example.com/version': { version: '1.2.3-rc.1' } },
        capacity: { memory: { value: '16Gi' } },
        taints: [{ key: 'k', effect: 'NoSchedule' }],
      },
    ],
  },
};

test('resource slices', () => {
  const spec = (fields: object) => (object: ResourceSlice) => Object.assign(object.spec, fields);
  const device = (fields: object) => spec({ devices: [{ name: 'd', ...fields }] });
  const policy = (requestPolicy: object) =>
    device({ allowMultipleAllocations: true, capacity: { m: { value: '10', requestPolicy } } });
  const at = 'spec.devices[0].capacity[m].requestPolicy';
  const choices = '`nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection`';
  checkRule(validateResourceSlice, slice, [
    [
      spec({ nodeName: undefined, pool: { name: 'A', generation: -1, resourceSliceCount: 0 } }),
      [
        "spec.pool.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        'spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero',
        'spec.pool.generation: Invalid value: -1: must be greater than or equal to zero',
        `spec: Required value: exactly one of ${choices} is required`,
      ],
    ],
    [
      spec({ allNodes: true }),
      [
        `spec: Invalid value: "{\`nodeName\`, \`allNodes\`}": exactly one of ${choices} is required, but multiple fields are set`,
      ],
    ],
    [
      device({ nodeName: 'n' }),
      [
        'spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      ],
    ],
    [
      device({ attributes: { a: {}, b: { int: 1, version: '1' }, '/c': { bool: true } } }),
      [
        'spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified',
        'spec.devices[0].attributes[b].version: Invalid value: "1": must be a string compatible with semver.org spec 2.0.0',
        'spec.devices[0].attributes[b]: Invalid value: {"IntValue":1,"BoolValue":null,"StringValue":null,"VersionValue":"1","IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified',
        'spec.devices[0].attributes: Invalid value: "": the domain must not be empty',
      ],
    ],
    [
      device({ taints: [{ key: '', effect: 'Odd' }] }),
      [
        'spec.devices[0].taints[0].key: Invalid value: "": name part must be non-empty',
        "spec.devices[0].taints[0].key: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        'spec.devices[0].taints[0].effect: Unsupported value: "Odd": supported values: "NoExecute", "NoSchedule", "None"',
      ],
    ],
    [
      device({ consumesCounters: [{ counterSet: '', counters: {} }] }),
      [
        'spec.devices[0].consumesCounters[0].counterSet: Required value',
        'spec.devices[0].consumesCounters[0].counters: Required value',
      ],
    ],
    [
      device({ capacity: { m: { value: '10', requestPolicy: {} } } }),
      ['spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true'],
    ],
    [policy({ validValues: ['1'] }), [`${at}.default: Required value: required when validValues is defined`]],
    [
      policy({ default: '3', validValues: ['4', '2', '20'] }),
      [
        `${at}.validValues[1]: Invalid value: "2": values must be sorted in ascending order`,
        `${at}.validValues[2]: Invalid value: "20": option is larger than capacity value: 10`,
        `${at}.validValues: Invalid value: "3": default value is not valid according to the requestPolicy`,
      ],
    ],
    [
      policy({ default: '5', validRange: { min: '2', max: '12', step: '2' } }),
      [
        `${at}.validRange.max: Invalid value: "12": max is larger than capacity value: 10`,
        `${at}.validRange.step: Invalid value: "5": value is not a multiple of a given step (2) from (2)`,
      ],
    ],
    [
      spec({ devices: undefined, sharedCounters: [{ name: 'a', counters: { B: { value: '1' } } }] }),
      [`spec.sharedCounters[0].counters: Invalid value: "B": ${LABEL}`],
    ],
    [
      spec({ devices: Array.from({ length: 129 }, (_, index) => ({ name: `d${index}` })) }),
      ['spec.devices: Too many: 129: must have at most 128 items'],
    ],
  ]);
  checkUpdate(validateResourceSliceUpdate, slice, [
    [
      (object) => (object.spec.driver = 'b.example.com'),
      ['spec.driver: Invalid value: "b.example.com": field is immutable'],
    ],
    [(object) => (object.spec.nodeName = 'node-b'), ['spec.nodeName: Invalid value: "node-b": field is immutable']],
  ]);
});
