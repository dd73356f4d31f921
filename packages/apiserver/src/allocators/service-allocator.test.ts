import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { randomOf, seededRandom } from '@binnacle/apimachinery/clock';
import type { ServiceSpec } from '@binnacle/api/types/core-v1';
import { StatusError } from '@binnacle/apimachinery/status';
import * as fc from 'fast-check';
import { noAdmission } from '../registry/index.js';
import { defaultServiceCidr, firstAddress, markServiceCidrReady } from './service-cidr.js';
import { TestCluster, type TestClusterOptions } from './cluster.testing.js';

const web: ServiceSpec = { selector: { app: 'web' }, ports: [{ port: 80 }] };
const spec = (more: ServiceSpec = {}): ServiceSpec => structuredClone({ ...web, ...more });

async function inCluster(
  test: (cluster: TestCluster) => Promise<void>,
  options: TestClusterOptions = {},
): Promise<void> {
  const cluster = new TestCluster({ random: randomOf(() => 0), ...options });
  try {
    await test(cluster);
  } finally {
    cluster.stop();
  }
}

function refusedWith(code: number, message: string) {
  return (error: unknown) => {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.message, message);
    assert.equal(error.code, code);
    return true;
  };
}

const only = ({ clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy }: ServiceSpec = {}) => ({
  clusterIP,
  clusterIPs,
  ipFamilies,
  ipFamilyPolicy,
});
const nodePorts = (service: { spec?: ServiceSpec | undefined }) => service.spec?.ports?.map((port) => port.nodePort);

describe('cluster IPs', () => {
  it('gives a new service an address, recorded as an IPAddress object', () =>
    inCluster(async (cluster) => {
      const service = await cluster.create('web', spec());
      assert.deepEqual(only(service.spec), {
        clusterIP: '10.0.0.17',
        clusterIPs: ['10.0.0.17'],
        ipFamilies: ['IPv4'],
        ipFamilyPolicy: 'SingleStack',
      });
      const { metadata, spec: ipSpec } = (await cluster.ipAddresses.store.reader.get('', '10.0.0.17')).decode();
      assert.deepEqual(metadata.labels, {
        'ipaddress.kubernetes.io/ip-family': 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      });
      assert.deepEqual(ipSpec, { parentRef: { resource: 'services', namespace: 'default', name: 'web' } });
      assert.equal(metadata.managedFields?.[0]?.manager, 'kube-apiserver');
      await cluster.remove('web');
      assert.deepEqual(await cluster.claimedIps(), []);
    }));

  it('gives a requested address to one service only', () =>
    inCluster(async (cluster) => {
      await cluster.create('one', spec({ clusterIP: '10.0.0.5' }));
      await assert.rejects(
        cluster.create('two', spec({ clusterIP: '10.0.0.5' })),
        refusedWith(
          422,
          'Service "two" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.5"]: failed to allocate IP 10.0.0.5: provided IP is already allocated',
        ),
      );
      await assert.rejects(
        cluster.create('three', spec({ clusterIP: '192.168.9.9' })),
        refusedWith(
          422,
          'Service "three" is invalid: spec.clusterIPs: Invalid value: ["192.168.9.9"]: failed to allocate IP 192.168.9.9: the provided network does not match the current range',
        ),
      );
      assert.deepEqual(await cluster.claimedIps(), ['10.0.0.5']);
    }));

  it('rejects an invalid address before it claims anything', () =>
    inCluster(async (cluster) => {
      await assert.rejects(
        cluster.create('x', spec({ clusterIP: 'x' })),
        refusedWith(
          422,
          'Service "x" is invalid: spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        ),
      );
    }));

  it('releases the address when the service cannot be stored', () =>
    inCluster(async (cluster) => {
      await cluster.create('web', spec());
      await assert.rejects(cluster.create('web', spec()), { name: 'StatusError' });
      assert.deepEqual(await cluster.claimedIps(), ['10.0.0.17']);
    }));

  it('shows the network address in a dry run and claims nothing', () =>
    inCluster(async (cluster) => {
      assert.equal((await cluster.create('web', spec({ type: 'NodePort' }), true)).spec?.clusterIP, '10.0.0.0');
      assert.deepEqual(await cluster.claimedIps(), []);
    }));

  const headless: readonly [string, ServiceSpec, object][] = [
    [
      'headless with a selector',
      spec({ clusterIP: 'None' }),
      { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
    ],
    [
      'headless without a selector',
      { clusterIP: 'None', ports: [{ port: 80 }] },
      { clusterIP: 'None', clusterIPs: ['None'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    ],
    [
      'an external name',
      { type: 'ExternalName', externalName: 'example.com' },
      { clusterIP: undefined, clusterIPs: undefined, ipFamilies: undefined, ipFamilyPolicy: undefined },
    ],
  ];
  for (const [what, given, expected] of headless) {
    it(`claims nothing for ${what}`, () =>
      inCluster(async (cluster) => {
        assert.deepEqual(only((await cluster.create('web', structuredClone(given))).spec), expected);
        assert.deepEqual(await cluster.claimedIps(), []);
      }));
  }

  it('releases the address of a service that becomes an ExternalName, and claims one when it changes back', () =>
    inCluster(async (cluster) => {
      await cluster.create('web', spec());
      await cluster.update('web', (it) => {
        Object.assign(it, { type: 'ExternalName', externalName: 'example.com' });
      });
      assert.deepEqual(await cluster.claimedIps(), []);
      const back = await cluster.update('web', (it) => {
        it.type = 'ClusterIP';
        delete it.externalName;
      });
      assert.equal(back.spec?.clusterIP, '10.0.0.17');
      assert.deepEqual(await cluster.claimedIps(), ['10.0.0.17']);
    }));

  it('keeps the address when the client sends the document that created the service again', () =>
    inCluster(async (cluster) => {
      const created = await cluster.create('web', spec({ type: 'NodePort' }));
      const again = await cluster.update('web', (it) => {
        for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) delete it[field];
        it.ports = [{ port: 80 }];
      });
      assert.deepEqual(again.spec, created.spec);
    }));

  it('uses addresses of further ServiceCIDRs, but only of ready ones', () =>
    inCluster(
      async (cluster) => {
        const cidr = (name: string, ready: string, ...cidrs: string[]) => ({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'ServiceCIDR',
          metadata: { name },
          spec: { cidrs },
          status: { conditions: [{ type: 'Ready', status: ready, reason: '', message: '', lastTransitionTime: null }] },
        });
        const { store } = cluster.serviceCidrs;
        const scope = { namespace: '', userName: '', dryRun: false, admission: noAdmission, warn: () => undefined };
        await store.create(scope, cidr('kubernetes', 'True', '10.0.0.0/30'));
        await store.create(scope, cidr('more', 'True', '10.1.0.0/24'));
        await store.create(scope, cidr('gone', 'False', '10.2.0.0/24'));
        await cluster.create('one', spec({ clusterIP: '10.1.0.9' }));
        await assert.rejects(cluster.create('two', spec({ clusterIP: '10.2.0.9' })), { code: 422 });
      },
      { clusterIpRanges: '10.0.0.0/30' },
    ));
});

describe('two families', () => {
  const both = { clusterIpRanges: '10.0.0.0/24,fd00::/112' };

  it('claims one address per family with PreferDualStack', () =>
    inCluster(async (cluster) => {
      const { spec: made } = await cluster.create('web', spec({ ipFamilyPolicy: 'PreferDualStack' }));
      assert.deepEqual(only(made), {
        clusterIP: '10.0.0.17',
        clusterIPs: ['10.0.0.17', 'fd00::101'],
        ipFamilies: ['IPv4', 'IPv6'],
        ipFamilyPolicy: 'PreferDualStack',
      });
      assert.deepEqual(await cluster.claimedIps(), ['10.0.0.17', 'fd00::101']);
    }, both));

  it('claims and releases the second address as the policy changes', () =>
    inCluster(async (cluster) => {
      await cluster.create('web', spec());
      const grown = await cluster.update('web', (it) => void (it.ipFamilyPolicy = 'RequireDualStack'));
      assert.deepEqual(grown.spec?.clusterIPs, ['10.0.0.17', 'fd00::101']);
      const shrunk = await cluster.update('web', (it) => void (it.ipFamilyPolicy = 'SingleStack'));
      assert.deepEqual(shrunk.spec?.clusterIPs, ['10.0.0.17']);
      assert.deepEqual(shrunk.spec?.ipFamilies, ['IPv4']);
      assert.deepEqual(await cluster.claimedIps(), ['10.0.0.17']);
    }, both));

  it('releases the first address when the second is not available', () =>
    inCluster(async (cluster) => {
      await cluster.create('one', spec({ ipFamilies: ['IPv6'], clusterIP: 'fd00::9' }));
      const wanted = spec({
        ipFamilyPolicy: 'RequireDualStack',
        clusterIP: '10.0.0.9',
        clusterIPs: ['10.0.0.9', 'fd00::9'],
      });
      await assert.rejects(cluster.create('two', wanted), { code: 422 });
      assert.deepEqual(await cluster.claimedIps(), ['fd00::9']);
    }, both));

  it('needs a cluster with both families', () =>
    inCluster(async (cluster) => {
      await assert.rejects(
        cluster.create('web', spec({ ipFamilyPolicy: 'RequireDualStack' })),
        refusedWith(
          422,
          'Service "web" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
        ),
      );
      await assert.rejects(
        cluster.create('web', spec({ ipFamilies: ['IPv6'] })),
        refusedWith(
          422,
          'Service "web" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
        ),
      );
      const { spec: made } = await cluster.create('prefers', spec({ ipFamilyPolicy: 'PreferDualStack' }));
      assert.deepEqual(made?.ipFamilies, ['IPv4']);
    }));
});

describe('node ports', () => {
  it('allocates node ports, shares one between both protocols of a port, and releases them', () =>
    inCluster(async (cluster) => {
      const ports = [
        { name: 'dns', port: 53, protocol: 'UDP' },
        { name: 'dns-tcp', port: 53, protocol: 'TCP' },
        { name: 'web', port: 80 },
      ];
      const service = await cluster.create('dns', spec({ type: 'NodePort', ports }));
      assert.deepEqual(nodePorts(service), [30086, 30086, 30087]);
      await cluster.remove('dns');
      assert.deepEqual(nodePorts(await cluster.create('next', spec({ type: 'NodePort' }))), [30086]);
    }));

  it('rejects a port that is allocated or out of range', () =>
    inCluster(async (cluster) => {
      const wanting = (nodePort: number) => spec({ type: 'NodePort', ports: [{ port: 80, nodePort }] });
      await cluster.create('one', wanting(30080));
      await assert.rejects(
        cluster.create('two', wanting(30080)),
        refusedWith(
          422,
          'Service "two" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
        ),
      );
      await assert.rejects(
        cluster.create('three', wanting(80)),
        refusedWith(
          422,
          'Service "three" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
        ),
      );
      assert.equal((await cluster.claimedIps()).length, 1);
    }));

  it('follows type changes', () =>
    inCluster(async (cluster) => {
      await cluster.create('web', spec());
      const opened = await cluster.update('web', (it) => void (it.type = 'NodePort'));
      assert.deepEqual(nodePorts(opened), [30086]);
      const closed = await cluster.update('web', (it) => void (it.type = 'ClusterIP'));
      assert.deepEqual(nodePorts(closed), [undefined]);
      assert.equal(closed.spec?.externalTrafficPolicy, undefined);
      const free = spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30086 }] });
      assert.deepEqual(nodePorts(await cluster.create('next', free)), [30086]);
    }));

  it('replaces a port that changes its number', () =>
    inCluster(async (cluster) => {
      await cluster.create('web', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30001 }] }));
      await cluster.update('web', (it) => void (it.ports = [{ port: 80, nodePort: 30002 }]));
      await cluster.create('next', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30001 }] }));
      await assert.rejects(cluster.create('last', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30002 }] })), {
        code: 422,
      });
    }));

  it('allocates ports for a load balancer unless it opts out, and a health check port for local traffic', () =>
    inCluster(async (cluster) => {
      const plain = await cluster.create('one', spec({ type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }));
      assert.deepEqual(nodePorts(plain), [undefined]);
      const local = await cluster.create('two', spec({ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }));
      assert.deepEqual(nodePorts(local), [30086]);
      assert.equal(local.spec?.healthCheckNodePort, 30087);
      const global = await cluster.update('two', (it) => void (it.externalTrafficPolicy = 'Cluster'));
      assert.equal(global.spec?.healthCheckNodePort, undefined);
      const ports = [{ port: 80, nodePort: 31000 }];
      const next = spec({ type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30087, ports });
      assert.equal((await cluster.create('three', next)).spec?.healthCheckNodePort, 30087);
    }));

  it('shows ports from 32769 in a dry run, and claims none', () =>
    inCluster(async (cluster) => {
      const ports = [
        { name: 'a', port: 1 },
        { name: 'b', port: 2 },
      ];
      assert.deepEqual(nodePorts(await cluster.create('web', spec({ type: 'NodePort', ports }), true)), [32769, 32770]);
      const { items } = await cluster.kv.range({ prefix: '/registry/ranges/' });
      assert.deepEqual(items, []);
    }));

  it('rebuilds a bitmap that is missing or of another range from the stored services', () =>
    inCluster(async (cluster) => {
      await cluster.create('web', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30500 }] }));
      for (const nodePortRange of ['30400-30600', '30000-32767']) {
        await inCluster(
          async (other) => {
            await assert.rejects(
              other.create('x', spec({ type: 'NodePort', ports: [{ port: 80, nodePort: 30500 }] })),
              { code: 422 },
            );
            await other.create(`in-${nodePortRange}`, spec({ type: 'NodePort' }));
          },
          { kv: cluster.kv, nodePortRange },
        );
      }
    }));
});

describe('repair', () => {
  it('frees an unused claim at the second run, and claims what a service uses', () =>
    inCluster(async (cluster) => {
      const scope = {
        namespace: 'default',
        userName: '',
        dryRun: false,
        admission: noAdmission,
        warn: () => undefined,
      };
      const lost = {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'lost', namespace: 'default' },
        spec: spec({ type: 'NodePort' }),
      };
      await cluster.allocator.claimForCreate(lost, scope);
      const kept = await cluster.create('kept', spec());
      const held = (await cluster.ipAddresses.store.reader.get('', kept.spec?.clusterIP ?? '')).decode();
      await cluster.ipAddresses.store.delete({ ...scope, namespace: '' }, held.metadata.name ?? '', {});
      await cluster.allocator.repair();
      assert.deepEqual((await cluster.claimedIps()).sort(), ['10.0.0.17', '10.0.0.18']);
      await cluster.allocator.repair();
      assert.deepEqual(await cluster.claimedIps(), ['10.0.0.18']);
      assert.deepEqual(nodePorts(await cluster.create('next', spec({ type: 'NodePort' }))), [30086]);
    }));
});

describe('several servers on one store', () => {
  it('never hand out an address or a port twice', async () => {
    const step = fc.record({
      server: fc.nat(1),
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      action: fc.constantFrom('create', 'create', 'delete', 'type'),
      type: fc.constantFrom('ClusterIP', 'NodePort'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), fc.nat(), async (steps, seed) => {
        const random = seededRandom(seed);
        const one = new TestCluster({ random, clusterIpRanges: '10.0.0.0/29', nodePortRange: '30000-30003' });
        const two = new TestCluster({
          random,
          clusterIpRanges: '10.0.0.0/29',
          nodePortRange: '30000-30003',
          kv: one.kv,
        });
        try {
          await Promise.all([one.ready(), two.ready()]);
          const servers = [one, two];
          await Promise.all(
            steps.map(async ({ server, name, action, type }) => {
              const cluster = servers[server] ?? one;
              try {
                if (action === 'create') await cluster.create(name, spec({ type }));
                else if (action === 'delete') await cluster.remove(name);
                else {
                  await cluster.update(name, (it) => {
                    it.type = type;
                    it.ports = [{ port: 80 }];
                  });
                }
              } catch (error) {
                assert.ok(error instanceof StatusError, String(error));
              }
            }),
          );
          await assertNothingShared(one);
        } finally {
          one.stop();
          two.stop();
        }
      }),
      { numRuns: 40, includeErrorInReport: true },
    );
  });
});

async function assertNothingShared(cluster: TestCluster): Promise<void> {
  const page = await cluster.services.store.reader.list({ namespace: '' });
  const specs = page.items.map((item) => (item.decode() as { spec?: ServiceSpec }).spec ?? {});
  const ips = specs.flatMap((it) => it.clusterIPs ?? []);
  const ports = specs.flatMap((it) => (it.ports ?? []).flatMap((port) => port.nodePort ?? []));
  assert.equal(new Set(ips).size, ips.length);
  assert.equal(new Set(ports).size, ports.length);
  assert.deepEqual((await cluster.claimedIps()).sort(), ips.sort());
}

describe('the default ServiceCIDR', () => {
  it('is created and marked ready once', () =>
    inCluster(async (cluster) => {
      assert.equal(firstAddress('10.0.0.0/24,fd00::/112'), '10.0.0.1');
      const scope = { namespace: '', userName: '', dryRun: false, admission: noAdmission, warn: () => undefined };
      const object = { ...defaultServiceCidr('10.0.0.7/24'), metadata: { name: 'kubernetes' } };
      await cluster.serviceCidrs.store.create(scope, object);
      await markServiceCidrReady(cluster.serviceCidrs, '10.0.0.0/16');
      const read = () => cluster.serviceCidrs.store.reader.get('', 'kubernetes');
      assert.deepEqual((await read()).decode()['status'], {});
      await markServiceCidrReady(cluster.serviceCidrs, '10.0.0.0/24');
      const marked = await read();
      const { spec: cidr, status } = marked.decode();
      assert.deepEqual(cidr, { cidrs: ['10.0.0.0/24'] });
      assert.deepEqual(status, {
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            lastTransitionTime: '2026-01-01T00:00:00Z',
            reason: '',
            message: 'Kubernetes default Service CIDR is ready',
          },
        ],
      });
      await markServiceCidrReady(cluster.serviceCidrs, '10.0.0.0/24');
      assert.equal((await read()).revision, marked.revision);
    }));
});

describe('the observer of the allocator', () => {
  it('is told of each claim, and of each address or port that was not available, but not of dry runs', () =>
    inCluster(
      async (cluster) => {
        const ports = (...numbers: (number | undefined)[]): ServiceSpec => ({
          ...spec({ type: 'NodePort' }),
          ports: numbers.map((nodePort, index) => ({
            name: `p${index}`,
            port: 80 + index,
            ...(nodePort && { nodePort }),
          })),
        });
        const claims = async (name: string, of: ServiceSpec, dryRun = false): Promise<readonly string[]> => {
          cluster.told.length = 0;
          await cluster.create(name, of, dryRun).catch(() => undefined);
          return [...cluster.told];
        };
        const range = '10.0.0.0/29';
        assert.deepEqual(await claims('any', spec()), [`dynamic address of ${range}`]);
        assert.deepEqual(await claims('own', spec({ clusterIP: '10.0.0.6' })), [`static address of ${range}`]);
        assert.deepEqual(await claims('taken', spec({ clusterIP: '10.0.0.6' })), [`no static address of ${range}`]);
        assert.deepEqual(await claims('dry', spec(), true), []);
        assert.deepEqual((await claims('ports', ports(30_001, undefined))).slice(1), ['static port', 'dynamic port']);
        assert.deepEqual((await claims('again', ports(30_001))).slice(1), ['no static port']);
        const { addresses, ports: used } = cluster.allocator.usage;
        assert.deepEqual([...addresses], [[range, { allocated: 3, available: 3 }]]);
        assert.deepEqual(used, { allocated: 2, available: 1 });
        assert.deepEqual((await claims('last', ports(undefined, undefined))).slice(1), ['no dynamic port']);
        for (const name of ['a', 'b']) await claims(name, spec());
        assert.deepEqual(await claims('full', spec()), [`no dynamic address of ${range}`]);
      },
      { clusterIpRanges: '10.0.0.0/29', nodePortRange: '30000-30002' },
    ));
});
