import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish } from '@binnacle/apimachinery/work';
import type { Pod, Service } from '@binnacle/client/kinds/core/v1';
import type { EndpointSlice } from '@binnacle/client/kinds/discovery/v1';
import { node, pod, service, slice } from './endpointslice.testing.js';
import { planSlices, type SliceView } from './plan.js';
import { MANAGER } from './slice.js';

const nodes = [node('node', 'zone-a')];

function plan(
  given: Service,
  pods: readonly Pod[],
  slices: readonly EndpointSlice[] = [],
  view: Partial<SliceView> = {},
) {
  const nodeOf = (name: string) => nodes.find(({ metadata }) => metadata.name === name);
  return finish(planSlices({ service: given, pods, nodeOf, slices, shares: undefined, hints: undefined, ...view }));
}

const targetRef = (name: string) => ({ kind: 'Pod', namespace: 'ns', name, uid: `uid-${name}` });
const names = (slices: readonly EndpointSlice[]) => slices.map(({ metadata }) => metadata.name);
const addresses = ({ endpoints }: EndpointSlice) => (endpoints ?? []).flatMap((each) => each.addresses);

describe('a new slice', () => {
  it('is what upstream would create', () => {
    const { creates, updates, deletes } = plan(service({}, { labels: { app: 'web', tier: 'x' } }), [
      pod('a', '10.9.0.1'),
    ]);
    assert.deepEqual([updates, deletes], [[], []]);
    assert.deepEqual(creates, [
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: {
          generateName: 'web-',
          namespace: 'ns',
          labels: {
            app: 'web',
            tier: 'x',
            'kubernetes.io/service-name': 'web',
            'endpointslice.kubernetes.io/managed-by': MANAGER,
          },
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'Service',
              name: 'web',
              uid: 'service',
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.9.0.1'],
            conditions: { ready: true, serving: true, terminating: false },
            targetRef: targetRef('a'),
            nodeName: 'node',
            zone: 'zone-a',
          },
        ],
        ports: [{ name: '', protocol: 'TCP', port: 8080 }],
      },
    ]);
  });

  it('has the label of headless services', () => {
    const [created] = plan(service({ clusterIP: 'None' }), []).creates;
    assert.equal(created?.metadata.labels?.['service.kubernetes.io/headless'], '');
  });

  it('is a placeholder without endpoints and ports if there is none', () => {
    const [created, ...others] = plan(service(), []).creates;
    assert.deepEqual([created?.endpoints, created?.ports, others], [undefined, undefined, []]);
  });
});

describe('the endpoint of a pod', () => {
  const notReady = { conditions: [{ type: 'Ready', status: 'False' as const }] };
  const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };
  const conditions = (ready: boolean, serving: boolean, terminating: boolean) => ({ ready, serving, terminating });
  for (const [what, spec, given, expected] of [
    ['that is ready', {}, pod('a', '10.9.0.1'), conditions(true, true, false)],
    ['that is not ready', {}, pod('a', '10.9.0.1', { status: notReady }), conditions(false, false, false)],
    ['that is being deleted', {}, pod('a', '10.9.0.1', { metadata: deleted }), conditions(false, true, true)],
    [
      'that is not ready, but published',
      { publishNotReadyAddresses: true },
      pod('a', '10.9.0.1', { status: notReady, metadata: deleted }),
      conditions(true, false, true),
    ],
  ] as const) {
    it(`tells the conditions of one ${what}`, () => {
      const [created] = plan(service(spec), [
        { ...given, metadata: { ...pod('a', '').metadata, ...given.metadata } },
      ]).creates;
      assert.deepEqual(created?.endpoints?.[0]?.conditions, expected);
    });
  }

  it('has the hostname that the service resolves', () => {
    const hosted = { containers: [], nodeName: 'node', hostname: 'host', subdomain: 'web' };
    const [created] = plan(service(), [
      pod('a', '10.9.0.1', { spec: hosted }),
      pod('b', '10.9.0.2', { spec: { ...hosted, subdomain: 'other' } }),
    ]).creates;
    assert.deepEqual(
      created?.endpoints?.map(({ hostname }) => hostname),
      ['host', undefined],
    );
  });

  it('is left out, and the service tried again, while the node is missing', () => {
    const lost = pod('b', '10.9.0.2', { spec: { containers: [], nodeName: 'gone' } });
    const { creates, problems } = plan(service(), [pod('a', '10.9.0.1'), lost]);
    assert.deepEqual(creates.map(addresses), [['10.9.0.1']]);
    assert.deepEqual(problems, ['skipping Pod b for Service ns/web: Node gone Not Found']);
    const published = plan(service({ publishNotReadyAddresses: true }), [lost]);
    assert.deepEqual([published.creates.map(addresses), published.problems], [[['10.9.0.2']], []]);
  });

  it('is left out once the pod has ended or has no address', () => {
    const ended = pod('a', '10.9.0.1', { status: { phase: 'Succeeded', podIP: '10.9.0.1' } });
    assert.deepEqual(plan(service(), [ended, pod('b', '', { status: {} })]).creates.map(addresses), [[]]);
  });
});

describe('slices', () => {
  it('have one set of ports, in upstream’s order', () => {
    const ports = [
      { name: 'w', port: 80, targetPort: 'http', protocol: 'TCP' as const },
      { name: 'adm', port: 90, targetPort: 'admin', protocol: 'TCP' as const, appProtocol: 'http' },
    ];
    const container = (...names: string[]) => ({
      containers: [{ name: 'c', ports: names.map((name, index) => ({ name, containerPort: 8080 + index })) }],
      nodeName: 'node',
    });
    const { creates } = plan(service({ ports }), [
      pod('a', '10.9.0.1', { spec: container('http', 'admin') }),
      pod('b', '10.9.0.2', { spec: container('http') }),
      pod('c', '10.9.0.3', { spec: container('http', 'admin') }),
    ]);
    assert.deepEqual(creates.map(addresses), [['10.9.0.1', '10.9.0.3'], ['10.9.0.2']]);
    assert.deepEqual(
      creates.map((each) => each.ports?.map(({ name }) => name).sort()),
      [['adm', 'w'], ['w']],
    );
  });

  it('are one for each family of the service', () => {
    const dual = pod('a', '10.9.0.1', {
      status: { podIPs: [{ ip: '10.9.0.1' }, { ip: 'fd00:0::1' }], conditions: [{ type: 'Ready', status: 'True' }] },
    });
    const { creates } = plan(service({ ipFamilies: ['IPv6', 'IPv4'] }), [dual]);
    assert.deepEqual(
      creates.map(({ addressType }) => addressType),
      ['IPv4', 'IPv6'],
    );
    assert.deepEqual(creates.map(addresses), [['10.9.0.1'], ['fd00::1']]);
  });

  it('of a family that the service has no more are deleted', () => {
    const six = slice('six', [], { addressType: 'IPv6' });
    const { deletes, creates } = plan(service(), [], [six]);
    assert.deepEqual([names(deletes), creates.length], [['six'], 1]);
  });

  it('of a deleted service of the same name are deleted, and not reused', () => {
    const [owner] = slice('old', []).metadata.ownerReferences ?? [];
    assert.ok(owner !== undefined);
    const old = slice('old', [], { metadata: { ownerReferences: [{ ...owner, uid: 'earlier' }] } });
    const { creates, updates, deletes } = plan(service(), [pod('a', '10.9.0.1')], [old]);
    assert.deepEqual([creates.length, updates, names(deletes)], [1, [], ['old']]);
  });

  it('with other ports are rewritten instead of being replaced', () => {
    const old = slice('old', [], { ports: [{ name: '', protocol: 'TCP', port: 1 }] });
    const { creates, updates, deletes } = plan(service(), [pod('a', '10.9.0.1')], [old]);
    assert.deepEqual([creates, deletes, names(updates)], [[], [], ['old']]);
    assert.equal(updates[0]?.metadata.resourceVersion, '1');
    assert.deepEqual(updates[0].ports, [{ name: '', protocol: 'TCP', port: 8080 }]);
  });

  it('become the placeholder when the last endpoint goes', () => {
    const [full] = plan(service(), [pod('a', '10.9.0.1')]).creates;
    assert.ok(full !== undefined);
    const { creates, updates, deletes } = plan(service(), [], [{ ...full, metadata: { ...full.metadata, name: 's' } }]);
    assert.deepEqual([creates, deletes, names(updates), updates.map(addresses)], [[], [], ['s'], [[]]]);
  });

  it('follow the labels of the service, and keep reserved ones', () => {
    const [empty] = plan(service(), []).creates;
    assert.ok(empty !== undefined);
    const present = { ...empty, metadata: { ...empty.metadata, name: 's' } };
    const labels = { tier: 'z', 'kubernetes.io/service-name': 'mine' };
    const { updates } = plan(service({}, { labels }), [], [present]);
    assert.deepEqual(updates[0]?.metadata.labels, { ...present.metadata.labels, tier: 'z' });
  });

  it('stay as they are once they are right', () => {
    const pods = Array.from({ length: 250 }, (_, index) => pod(`p${index}`, `10.9.${index >> 8}.${index & 255}`));
    const { creates } = plan(service(), pods);
    assert.deepEqual(
      creates.map((each) => addresses(each).length),
      [100, 100, 50],
    );
    const present = creates.map((each, index) => ({ ...each, metadata: { ...each.metadata, name: `s${index}` } }));
    const again = plan(service(), pods.toReversed(), present);
    assert.deepEqual([again.creates, again.updates, again.deletes], [[], [], []]);
  });
});

describe('hints by trafficDistribution', () => {
  const one = [pod('a', '10.9.0.1')];
  const zone = { forZones: [{ name: 'zone-a' }] };
  for (const [value, expected] of [
    ['PreferClose', zone],
    ['PreferSameZone', zone],
    ['PreferSameNode', { ...zone, forNodes: [{ name: 'node' }] }],
    ['Unknown', undefined],
    [undefined, undefined],
  ] as const) {
    it(`are right for ${value ?? 'none'}`, () => {
      const spec = value === undefined ? {} : { trafficDistribution: value };
      const [created] = plan(service(spec), one).creates;
      assert.deepEqual(created?.endpoints?.[0]?.hints, expected);
    });
  }

  it('come and go with the field', () => {
    const near = service({ trafficDistribution: 'PreferClose' });
    const [plain] = plan(service(), one).creates;
    assert.ok(plain !== undefined);
    const present = { ...plain, metadata: { ...plain.metadata, name: 's' } };
    const [hinted] = plan(near, one, [present]).updates;
    assert.deepEqual(hinted?.endpoints?.[0]?.hints, zone);
    assert.deepEqual(plan(near, one, [hinted]).updates, []);
    assert.equal(plan(service(), one, [hinted]).updates[0]?.endpoints?.[0]?.hints, undefined);
  });

  it('are not given to endpoints that are not ready', () => {
    const unready = pod('b', '10.9.0.2', { status: { podIPs: [{ ip: '10.9.0.2' }], conditions: [] } });
    const [created] = plan(service({ trafficDistribution: 'PreferClose' }), [unready]).creates;
    assert.equal(created?.endpoints?.[0]?.hints, undefined);
  });
});

describe('hints by topology', () => {
  const auto = service({}, { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } });
  const shares = new Map([
    ['zone-a', 0.5],
    ['zone-b', 0.5],
  ]);
  const pods = ['1', '2', '3', '4'].map((number) => pod(`p${number}`, `10.9.0.${number}`));

  it('spread endpoints over zones, and report that they are on', () => {
    const { creates, events, hints } = plan(auto, pods, [], { shares });
    const zones = creates[0]?.endpoints?.map((each) => each.hints?.forZones?.[0]?.name);
    assert.deepEqual(zones?.sort(), ['zone-a', 'zone-a', 'zone-b', 'zone-b']);
    const message = 'Topology Aware Hints has been enabled, addressType: IPv4';
    assert.deepEqual(events, [{ type: 'Normal', reason: 'TopologyAwareHintsEnabled', message }]);
    const present = creates.map((each) => ({ ...each, metadata: { ...each.metadata, name: 's' } }));
    const again = plan(auto, pods, present, { shares, hints });
    assert.deepEqual([again.updates, again.events], [[], []]);
  });

  for (const [what, given, message] of [
    [
      'nodes do not tell their zones',
      { shares: undefined },
      'Insufficient Node information: allocatable CPU or zone not specified on one or more nodes',
    ],
    [
      'there are more zones than endpoints',
      { shares: new Map(['a', 'b', 'c', 'd', 'e'].map((zone) => [zone, 0.2])) },
      'Insufficient number of endpoints (4 endpoints, 5 zones)',
    ],
    [
      'each zone would need too many',
      {
        shares: new Map([
          ['zone-a', 0.9],
          ['zone-b', 0.05],
          ['zone-c', 0.05],
        ]),
      },
      'Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (4 endpoints, 3 zones)',
    ],
  ] as const) {
    it(`are off while ${what}`, () => {
      const { creates, events } = plan(auto, pods, [], given);
      assert.ok(creates.every(({ endpoints }) => endpoints?.every(({ hints }) => hints === undefined)));
      const text = `${message}, addressType: IPv4`;
      assert.deepEqual(events, [{ type: 'Warning', reason: 'TopologyAwareHintsDisabled', message: text }]);
    });
  }

  it('go with the annotation, with an event', () => {
    const { creates, hints } = plan(auto, pods, [], { shares });
    const present = creates.map((each) => ({ ...each, metadata: { ...each.metadata, name: 's' } }));
    const { updates, events } = plan(service(), pods, present, { shares, hints });
    assert.ok(updates[0]?.endpoints?.every((each) => each.hints === undefined));
    assert.deepEqual(
      events.map(({ message }) => message),
      ['Topology Aware Hints has been disabled, addressType: IPv4'],
    );
  });
});

it('a large service is planned in steps, and reads its ports once for pods that have the same', () => {
  let reads = 0;
  const ports = Array.from({ length: 2000 }, (_, index) => ({
    name: `n${index}`,
    port: index + 1,
    get targetPort() {
      reads++;
      return 8080;
    },
  }));
  const pods = Array.from({ length: 5000 }, (_, index) => pod(`p${index}`, `10.9.${index >> 8}.${index & 255}`));
  const given = { service: service({ ports }), pods, nodeOf: () => nodes[0], slices: [], shares: undefined };
  const work = planSlices({ ...given, hints: undefined });
  let steps = 1;
  let step = work.next();
  for (; step.done !== true; step = work.next()) steps++;
  assert.equal(step.value.creates.length, 50);
  assert.ok(reads <= 4 * ports.length, `ports are read ${reads} times`);
  assert.ok(steps >= 10, `there are ${steps} steps`);
});
