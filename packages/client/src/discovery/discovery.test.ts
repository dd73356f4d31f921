import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ScriptedAnswer, ScriptedTransport } from '../testing/index.js';
import { DiscoveryClient, RestMapper } from './index.js';

const verbs = ['get', 'list'];
const kind = (group: string, version: string, name: string) => ({ group, version, kind: name });
const groupOf = (name: string, version: string, resources: object[], more = {}) => ({
  metadata: { name },
  versions: [{ version, resources, freshness: 'Current', ...more }],
});
const pods = {
  resource: 'pods',
  responseKind: kind('', 'v1', 'Pod'),
  scope: 'Namespaced',
  singularResource: 'pod',
  verbs,
  shortNames: ['po'],
  categories: ['all'],
  subresources: [{ subresource: 'status', responseKind: kind('', 'v1', 'Pod'), verbs: ['get'] }],
};
const deployments = {
  resource: 'deployments',
  responseKind: kind('apps', 'v1', 'Deployment'),
  scope: 'Namespaced',
  singularResource: 'deployment',
  verbs,
  shortNames: ['deploy'],
  subresources: [{ subresource: 'scale', responseKind: kind('autoscaling', 'v1', 'Scale'), verbs: ['get'] }],
};
const nodeMetrics = {
  resource: 'pods',
  responseKind: kind('metrics.k8s.io', 'v1', 'PodMetrics'),
  scope: 'Namespaced',
  verbs,
};
const list = (...items: object[]) => ({
  object: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items },
});

const aggregated: Record<string, ScriptedAnswer> = {
  '/api': list(groupOf('', 'v1', [pods])),
  '/apis': list(groupOf('apps', 'v1', [deployments]), groupOf('metrics.k8s.io', 'v1', [nodeMetrics])),
};
const legacy: Record<string, ScriptedAnswer> = {
  '/api': { object: { kind: 'APIVersions', versions: ['v1'] } },
  '/apis': {
    object: {
      kind: 'APIGroupList',
      groups: [
        { name: 'apps', preferredVersion: { version: 'v1' }, versions: [{ version: 'v1beta1' }, { version: 'v1' }] },
        { name: 'metrics.k8s.io', versions: [{ version: 'v1' }] },
      ],
    },
  },
  '/api/v1': {
    object: {
      kind: 'APIResourceList',
      resources: [
        {
          name: 'pods',
          singularName: 'pod',
          namespaced: true,
          kind: 'Pod',
          verbs,
          shortNames: ['po'],
          categories: ['all'],
        },
        { name: 'pods/status', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
      ],
    },
  },
  '/apis/apps/v1': {
    object: {
      kind: 'APIResourceList',
      resources: [
        {
          name: 'deployments',
          singularName: 'deployment',
          namespaced: true,
          kind: 'Deployment',
          verbs,
          shortNames: ['deploy'],
        },
        {
          name: 'deployments/scale',
          namespaced: true,
          group: 'autoscaling',
          version: 'v1',
          kind: 'Scale',
          verbs: ['get'],
        },
      ],
    },
  },
  '/apis/apps/v1beta1': { object: { kind: 'APIResourceList', resources: [] } },
  '/apis/metrics.k8s.io/v1': { status: 503, object: 'down' },
};

const serverOf = (answers: Record<string, ScriptedAnswer>) => {
  const transport = new ScriptedTransport(({ path }) => answers[path] ?? { status: 404, object: 'nothing' });
  const discovery = new DiscoveryClient(transport);
  return { transport, discovery, mapper: new RestMapper(discovery) };
};

describe('discovery', () => {
  it('sends two requests for all callers and caches the result', async () => {
    const { transport, discovery } = serverOf(aggregated);
    const [one, two] = await Promise.all([discovery.surface(), discovery.surface()]);
    assert.equal(one, two);
    assert.equal(await discovery.surface(), one);
    assert.deepEqual(
      transport.requests.map(({ path }) => path),
      ['/api', '/apis'],
    );
    discovery.invalidate();
    await discovery.surface();
    assert.equal(transport.requests.length, 4);
  });

  it('reads legacy discovery, without failing versions', async () => {
    const whole = await serverOf(aggregated).discovery.surface();
    const { groups, failures } = await serverOf(legacy).discovery.surface();
    assert.deepEqual(groups[0], whole.groups[0]);
    assert.deepEqual(groups[1]?.versions[0], whole.groups[1]?.versions[0]);
    assert.deepEqual(
      groups[1]?.versions.map(({ version }) => version),
      ['v1', 'v1beta1'],
    );
    assert.deepEqual(
      failures.map(({ group, version }) => [group, version]),
      [['metrics.k8s.io', 'v1']],
    );
  });

  it('reports stale versions as failures', async () => {
    const { discovery } = serverOf({ ...aggregated, '/apis': list(groupOf('m.io', 'v1', [], { freshness: 'Stale' })) });
    assert.deepEqual(
      (await discovery.surface()).failures.map(({ group }) => group),
      ['m.io'],
    );
  });

  it('does not cache a failure', async () => {
    let up = false;
    const transport = new ScriptedTransport(({ path }) =>
      up ? (aggregated[path] ?? new Error(path)) : new Error('down'),
    );
    const discovery = new DiscoveryClient(transport);
    await assert.rejects(discovery.surface(), /down/);
    up = true;
    assert.equal((await discovery.surface()).groups.length, 3);
    await assert.rejects(discovery.surface({ signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  for (const [group, version, resource, expected] of [
    ['apps', 'v1', 'deployments', true],
    ['apps', 'v1', 'ships', false],
    ['apps', 'v9', 'deployments', false],
    ['', 'v1', 'pods', true],
  ] as const) {
    it(`tells whether ${group}/${version} serves ${resource}`, async () => {
      const { discovery, transport } = serverOf(legacy);
      assert.equal(await discovery.serves({ group, version, resource }), expected);
      assert.equal(transport.requests.length, 1);
    });
  }

  it('does not take a failure for a missing resource', async () => {
    const resource = { group: 'metrics.k8s.io', version: 'v1', resource: 'pods' };
    await assert.rejects(serverOf(legacy).discovery.serves(resource), /unable to handle the request/);
  });
});

describe('mapper', () => {
  it('finds resources by plural, singular and short names', async () => {
    const { mapper } = serverOf(aggregated);
    const found = async (text: string) => (await mapper.resourceFor(text)).resource;
    for (const text of ['deployments', 'deployment', 'deploy', 'Deployment', 'deploy.apps', 'deployments.v1.apps']) {
      assert.deepEqual(await found(text), { group: 'apps', version: 'v1', resource: 'deployments' }, text);
    }
    assert.equal((await found('pods')).group, '');
    assert.equal((await found('pods.metrics.k8s.io')).group, 'metrics.k8s.io');
    assert.deepEqual(await mapper.kindFor({ resource: 'po' }), kind('', 'v1', 'Pod'));
  });

  it('finds resources by kind', async () => {
    const { mapper } = serverOf(legacy);
    const { resource, namespaced, subresources } = await mapper.resourceForKind({ group: 'apps', kind: 'Deployment' });
    assert.deepEqual([resource.version, resource.resource, namespaced], ['v1', 'deployments', true]);
    assert.deepEqual(subresources[0]?.kind, kind('autoscaling', 'v1', 'Scale'));
  });

  it('runs discovery again for an unknown kind', async () => {
    const answers = { ...aggregated };
    const { mapper, transport } = serverOf(answers);
    await mapper.resourceFor('pods');
    answers['/apis'] = list(groupOf('example.com', 'v1', [{ ...deployments, resource: 'widgets', shortNames: ['w'] }]));
    assert.equal((await mapper.resourceFor('w')).resource.resource, 'widgets');
    await assert.rejects(mapper.resourceForKind({ group: '', kind: 'Gadget' }), {
      name: 'NoMatchError',
      message: 'no resource for kind "Gadget" in the core group',
    });
    await assert.rejects(
      serverOf(legacy).mapper.resourceFor('gadgets.example.com'),
      /no resource "gadgets.example.com"; it could not say what is in metrics.k8s.io\/v1/,
    );
    assert.equal(transport.requests.length, 6);
  });
});
