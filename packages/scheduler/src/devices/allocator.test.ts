import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { finish } from '@binnacle/apimachinery/work';
import type { Device, DeviceRequest, ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import { deviceClassObject, deviceRequest, DRIVER, nodeObject, resourceClaim, sliceObject } from '../testing/index.js';
import { allocatedDevices, Allocator } from './index.js';

const node = nodeObject('n', { labels: { zone: 'a' } });
const classes = [
  deviceClassObject('gpu'),
  deviceClassObject('large', { selectors: [{ cel: { expression: 'device.attributes["dra.example.com"].size > 5' } }] }),
];

function allocatorOf(
  slices: readonly ResourceSlice[],
  others: readonly ResourceClaim[] = [],
  mostWork?: number,
): Allocator {
  return new Allocator({
    slices,
    deviceClass: (name) => classes.find(({ metadata }) => metadata.name === name),
    allocated: allocatedDevices(others),
    shareId: () => 'share',
    ...(mostWork !== undefined && { mostWork }),
  });
}

/** The devices of each request, or why there are none. */
function devicesFor(
  claims: readonly ResourceClaim[],
  slices: readonly ResourceSlice[],
  others: readonly ResourceClaim[] = [],
): string {
  try {
    const found = finish(allocatorOf(slices, others).allocate(node, claims));
    if (typeof found === 'string') return found;
    return found
      .map(({ devices }) => (devices?.results ?? []).map(({ request, device }) => `${request}:${device}`).join(' '))
      .join('; ');
  } catch (error) {
    return `fails: ${String(error)}`;
  }
}

const NO_KEY = 'fails: Error: class large: selector #0: CEL runtime error: no such key: size';
const NONE = 'cannot allocate all claims';
const sized = (name: string, size: number, more: Partial<Device> = {}): Device => ({
  name,
  attributes: { size: { int: size } },
  ...more,
});
const asking = (...requests: readonly DeviceRequest[]) => resourceClaim('c', { requests });
const selecting = (expression: string) => asking(deviceRequest('r', { selectors: [{ cel: { expression } }] }));
const holding = (...devices: readonly string[]): ResourceClaim =>
  resourceClaim('other', undefined, {
    allocation: {
      devices: { results: devices.map((device) => ({ request: 'r', driver: DRIVER, pool: 'n', device })) },
    },
  });
const of = (name: string, count: number) => ({ name, generation: 1, resourceSliceCount: count });

describe('the devices of a request', () => {
  const slice = sliceObject('n', [sized('small', 1), sized('large', 9), 'plain']);
  for (const [what, claim, expected] of [
    ['the first', asking(deviceRequest('r')), 'r:small'],
    ['by the class', asking(deviceRequest('r', { deviceClassName: 'large' })), 'r:large'],
    ['after a selector that fails', asking(deviceRequest('r', { deviceClassName: 'large', count: 2 })), NO_KEY],
    [
      'by a selector',
      selecting('"size" in device.attributes["dra.example.com"] && device.attributes["dra.example.com"].size > 5'),
      'r:large',
    ],
    ['by the driver', selecting('device.driver == "other"'), NONE],
    ['by a domain that the device lacks', selecting('"other.com" in device.attributes'), NONE],
    ['several', asking(deviceRequest('r', { count: 2 })), 'r:small r:large'],
    ['more than there are', asking(deviceRequest('r', { count: 4 })), NONE],
    ['all', asking(deviceRequest('r', { allocationMode: 'All' })), 'r:small r:large r:plain'],
    ['two requests', asking(deviceRequest('r'), deviceRequest('s')), 'r:small s:large'],
    [
      'an unknown class',
      asking(deviceRequest('r', { deviceClassName: 'x' })),
      'fails: Error: claim default/c, request r: could not retrieve device class x',
    ],
    [
      'more than a claim may have',
      asking(deviceRequest('r', { count: 33 })),
      'fails: Error: claim default/c: number of requested devices 33 exceeds the claim limit of 32',
    ],
    ['a broken selector', selecting('device.x'), /^fails: Error: claim default\/c: selector #0: CEL compile error: /],
    [
      'the first alternative that works',
      asking({
        name: 'r',
        firstAvailable: [
          { name: 'a', deviceClassName: 'gpu', count: 9 },
          { name: 'b', deviceClassName: 'gpu', count: 1 },
        ],
      }),
      'r/b:small',
    ],
  ] as const) {
    it(what, () => {
      const found = devicesFor([claim], [slice]);
      if (typeof expected === 'string') assert.equal(found, expected);
      else assert.match(found, expected);
    });
  }

  it('steps back from a device that a later request needs', () => {
    const wide = asking(
      deviceRequest('r'),
      deviceRequest('s', { selectors: [{ cel: { expression: 'device.attributes["dra.example.com"].size == 1' } }] }),
    );
    assert.equal(devicesFor([wide], [sliceObject('n', [sized('a', 1), sized('b', 2)])]), 'r:b s:a');
  });
});

describe('the work of a search', () => {
  /** How often it pauses, and why it fails. */
  function search(claim: ResourceClaim, slice: ResourceSlice): { readonly steps: number; readonly failure: string } {
    const found = allocatorOf([slice], [], 500_000).allocate(node, [claim]);
    for (let steps = 0; ; steps++) {
      try {
        if (found.next().done === true) return { steps, failure: '' };
      } catch (error) {
        return { steps, failure: String(error) };
      }
    }
  }

  it('ends when too many combinations fail', () => {
    const slice = sliceObject(
      'n',
      Array.from({ length: 60 }, (_, index) => sized(`d${index}`, index % 15)),
    );
    const constraint = { distinctAttribute: 'dra.example.com/size' };
    const claim = resourceClaim('c', { requests: [deviceRequest('r', { count: 16 })], constraints: [constraint] });
    const { steps, failure } = search(claim, slice);
    assert.equal(failure, 'Error: node n: timed out trying to allocate devices');
    assert.ok(steps > 50, `${steps} steps`);
  });

  it('pauses within and between evaluations', () => {
    const numbers = `[${Array.from({ length: 100 }, (_, index) => index).join()}]`;
    const expression = `${numbers}.all(a, ${numbers}.exists(b, a == b)) && device.driver == "other"`;
    const devices = Array.from({ length: 10 }, (_, index) => `d${index}`);
    const { steps, failure } = search(selecting(expression), sliceObject('n', devices));
    assert.deepEqual(failure, '');
    assert.ok(steps > 10 * 3, `${steps} steps`);
  });
});

describe('devices that cannot be allocated', () => {
  const one = asking(deviceRequest('r'));
  const taint = { key: 'broken', effect: 'NoSchedule' } as const;
  const tolerant = asking(deviceRequest('r', { tolerations: [{ key: 'broken', operator: 'Exists' }] }));
  const admin = asking(deviceRequest('r', { adminAccess: true }));
  for (const [what, claim, slices, others, expected] of [
    ['in use', one, [sliceObject('n', ['a', 'b'])], [holding('a')], 'r:b'],
    ['all in use', one, [sliceObject('n', ['a'])], [holding('a')], NONE],
    ['in use, with admin access', admin, [sliceObject('n', ['a'])], [holding('a')], 'r:a'],
    ['of another node', one, [sliceObject('m', ['a'])], [], NONE],
    ['of an incomplete pool', one, [sliceObject('n', ['a'], { pool: of('n', 2) })], [], NONE],
    ['of a pool with a name twice', one, [sliceObject('n', ['a', 'a'])], [], 'invalid resource pools were encountered'],
    [
      'of an old generation',
      one,
      [
        sliceObject('n', ['a']),
        sliceObject('n', ['b'], { pool: { name: 'n', generation: 2, resourceSliceCount: 1 } }, 'z'),
      ],
      [],
      'r:b',
    ],
    ['tainted', one, [sliceObject('n', [{ name: 'a', taints: [taint] }, 'b'])], [], 'r:b'],
    ['tainted and tolerated', tolerant, [sliceObject('n', [{ name: 'a', taints: [taint] }])], [], 'r:a'],
  ] as const) {
    it(what, () => assert.equal(devicesFor([claim], slices, others), expected));
  }
});

describe('constraints', () => {
  const devices = [sized('a', 1), sized('b', 2), sized('c', 2), 'd'];
  for (const [what, constraint, expected] of [
    ['the same value of an attribute', { matchAttribute: 'dra.example.com/size' }, 'r:b r:c'],
    ['different values of an attribute', { distinctAttribute: 'dra.example.com/size' }, 'r:a r:b'],
    ['an attribute that no device has', { matchAttribute: 'dra.example.com/x' }, NONE],
    ['of another request', { matchAttribute: 'dra.example.com/x', requests: ['s'] }, 'r:a r:b'],
  ] as const) {
    it(what, () => {
      const claim = resourceClaim('c', { requests: [deviceRequest('r', { count: 2 })], constraints: [constraint] });
      assert.equal(devicesFor([claim], [sliceObject('n', devices)]), expected);
    });
  }
});

describe('shared parts', () => {
  const counter = (value: string) => [{ counterSet: 's', counters: { memory: { value } } }];
  const sharedCounters = [{ name: 's', counters: { memory: { value: '4Gi' } } }];
  const counters = sliceObject('', [], { sharedCounters, pool: of('n', 2) }, 'counters');
  const parts = ['2Gi', '3Gi', '2Gi'].map((size, index) => ({ name: `p${index}`, consumesCounters: counter(size) }));
  const pool = [counters, sliceObject('n', parts, { pool: of('n', 2) })];
  const two = asking(deviceRequest('r', { count: 2 }));
  it('counters limit the devices of a pool', () => {
    assert.equal(devicesFor([two], pool), 'r:p0 r:p2');
    assert.equal(devicesFor([asking(deviceRequest('r'))], pool, [holding('p1')]), NONE);
  });

  const shared: Device = { name: 'a', allowMultipleAllocations: true, capacity: { memory: { value: '4Gi' } } };
  const taking = (memory: string) => asking(deviceRequest('r', { capacity: { requests: { memory } } }));
  it('capacity limits the uses of a device', () => {
    const slices = [sliceObject('n', [shared])];
    assert.equal(devicesFor([taking('3Gi'), taking('1Gi')], slices), 'r:a; r:a');
    assert.equal(devicesFor([taking('3Gi'), taking('2Gi')], slices), NONE);
    const [first] = finish(allocatorOf(slices).allocate(node, [taking('3Gi')]));
    assert.deepEqual(typeof first === 'string' ? first : first?.devices?.results, [
      { request: 'r', driver: DRIVER, pool: 'n', device: 'a', shareID: 'share', consumedCapacity: { memory: '3Gi' } },
    ]);
  });
});

it('an allocation names the nodes that reach its devices, and the configuration of class and claim', () => {
  const terms = {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In' as const, values: ['a'] }] }],
  };
  const slice: ResourceSlice = { ...sliceObject('', ['a'], { nodeSelector: terms, pool: of('p', 1) }, 's') };
  const opaque = { driver: DRIVER, parameters: { a: 1 } };
  const claim = resourceClaim('c', { requests: [deviceRequest('r')], config: [{ requests: ['r'], opaque }] });
  assert.deepEqual(finish(allocatorOf([slice]).allocate(node, [claim])), [
    {
      devices: {
        results: [{ request: 'r', driver: DRIVER, pool: 'p', device: 'a' }],
        config: [{ source: 'FromClaim', requests: ['r'], opaque }],
      },
      nodeSelector: terms,
    },
  ]);
  assert.deepEqual(finish(allocatorOf([sliceObject('n', ['a'])]).allocate(node, [claim]))[0], {
    devices: {
      results: [{ request: 'r', driver: DRIVER, pool: 'n', device: 'a' }],
      config: [{ source: 'FromClaim', requests: ['r'], opaque }],
    },
    nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }] },
  });
});

it('never allocates a device twice', () => {
  const request = fc.record({
    count: fc.integer({ min: 1, max: 3 }),
    isForAll: fc.boolean(),
    size: fc.integer({ min: 0, max: 3 }),
  });
  const cluster = fc.record({
    sizes: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 8 }),
    held: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
    claims: fc.array(fc.array(request, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  });
  fc.assert(
    fc.property(cluster, ({ sizes, held, claims }) => {
      const slice = sliceObject(
        'n',
        sizes.map((size, index) => sized(`d${index}`, size)),
      );
      const wanted = claims.map((requests, index) =>
        resourceClaim(`c${index}`, {
          requests: requests.map(({ count, isForAll, size }, each) =>
            deviceRequest(`r${each}`, {
              ...(isForAll ? { allocationMode: 'All' } : { count }),
              selectors: [{ cel: { expression: `device.attributes["dra.example.com"].size >= ${size}` } }],
            }),
          ),
        }),
      );
      const others = [holding(...held.map((index) => `d${index}`))];
      const found = finish(allocatorOf([slice], others).allocate(node, wanted));
      if (typeof found === 'string') return;
      const devices = found.flatMap(({ devices }) => (devices?.results ?? []).map(({ device }) => device));
      assert.equal(new Set(devices).size, devices.length);
      for (const index of held) assert.ok(!devices.includes(`d${index}`));
    }),
  );
});
