import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResourceQuota } from '@binnacle/api/types/core-v1';
import { conflict } from '@binnacle/apimachinery/status';
import { resourceQuota, type ResourceQuotaSource } from '../index.js';
import { object, type Spec, validate } from '../request.testing.js';

type Texts = Record<string, string>;

function quota(hard: Texts, used: Texts | undefined = zeros(hard), spec: ResourceQuota['spec'] = {}): ResourceQuota {
  return {
    metadata: { name: 'q' },
    spec: { hard, ...spec },
    status: { hard, ...(used === undefined ? {} : { used }) },
  };
}

function zeros(hard: Texts): Texts {
  return Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
}

/** Stores quotas like a real store: the first `lost` writes conflict with another writer. */
function keep(first: ResourceQuota, lost = 0) {
  const kept = { quota: first, reads: 0 };
  let losses = lost;
  const source: ResourceQuotaSource = {
    async resourceQuotas() {
      kept.reads++;
      return [kept.quota];
    },
    async recordUsage(_, used) {
      if (losses-- > 0) throw conflict({ group: '', resource: 'resourcequotas' }, 'q', 'changed');
      kept.quota = { ...kept.quota, status: { ...kept.quota.status, used } };
    },
  };
  return { kept, plugin: resourceQuota(source), used: () => kept.quota.status?.used };
}

const pod = (requests: Texts = {}, limits: Texts = {}, more: Spec = {}) =>
  object('Pod', { containers: [{ name: 'c', resources: { requests, limits } }], ...more });

describe('ResourceQuota', () => {
  it('charges writes, and refuses those that exceed the quota', async () => {
    const { plugin, used } = keep(quota({ pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' }));
    const given = pod({ cpu: '600m' }, { memory: '512Mi' });
    await validate(plugin, 'pods', given);
    assert.deepEqual(used(), { pods: '1', 'requests.cpu': '600m', 'limits.memory': '512Mi' });
    await assert.rejects(validate(plugin, 'pods', given), {
      code: 403,
      reason: 'Forbidden',
      message:
        'pods "a" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1',
    });
    assert.deepEqual(used(), { pods: '1', 'requests.cpu': '600m', 'limits.memory': '512Mi' });
  });

  it('requires cpu and memory to be set when a quota limits them', async () => {
    const { plugin } = keep(quota({ 'requests.cpu': '1', 'limits.memory': '1Gi' }));
    await assert.rejects(validate(plugin, 'pods', pod()), {
      message: 'pods "a" is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c',
    });
  });

  it('is inactive until the controller has set its status, and ignores resources that it does not name', async () => {
    await validate(
      resourceQuota({
        ...keepNone,
        resourceQuotas: async () => [{ metadata: { name: 'q' }, spec: { hard: { pods: '0' } } }],
      }),
      'pods',
      pod(),
    );
    const { plugin } = keep(quota({ pods: '1' }, {}));
    await assert.rejects(validate(plugin, 'pods', pod()), {
      message: 'pods "a" is forbidden: status unknown for quota: q, resources: pods',
    });
    await validate(plugin, 'configmaps', object('ConfigMap'));
  });

  it('counts custom objects of a resource with the name of a built-in one', async () => {
    const { plugin, used } = keep(quota({ 'count/namespaces.example.com': '1' }));
    const resource = { group: 'example.com', version: 'v1', resource: 'namespaces' };
    await validate(plugin, 'namespaces', object('Space'), { resource });
    assert.deepEqual(used(), { 'count/namespaces.example.com': '1' });
  });

  it('charges no dry run, but includes it in the check', async () => {
    const { plugin, used } = keep(quota({ configmaps: '1' }));
    await validate(plugin, 'configmaps', object('ConfigMap'), { dryRun: true });
    assert.deepEqual(used(), { configmaps: '0' });
    await validate(plugin, 'configmaps', object('ConfigMap'));
    await assert.rejects(validate(plugin, 'configmaps', object('ConfigMap'), { dryRun: true }), {
      message: /exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1/,
    });
  });

  it('retries after a conflict, and never exceeds the limit under concurrency', async () => {
    const raced = keep(quota({ 'count/secrets': '9' }), 3);
    await validate(raced.plugin, 'secrets', object('Secret'));
    assert.deepEqual(raced.used(), { 'count/secrets': '1' });
    const lost = keep(quota({ 'count/secrets': '9' }), 4);
    await assert.rejects(validate(lost.plugin, 'secrets', object('Secret')), { reason: 'Conflict' });

    const { plugin, used } = keep(quota({ secrets: '3' }));
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => validate(plugin, 'secrets', object('Secret'))),
    );
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 3);
    assert.deepEqual(used(), { secrets: '3' });
  });

  it('never exceeds the limit with two servers whose reads and writes interleave', async () => {
    let stored = quota({ secrets: '3' });
    let conflicts = 0;
    const source: ResourceQuotaSource = {
      async resourceQuotas() {
        const read = stored;
        await nextTurn();
        return [read];
      },
      async recordUsage(read, used) {
        await nextTurn();
        if (read !== stored) {
          conflicts++;
          throw conflict({ group: '', resource: 'resourcequotas' }, 'q', 'changed');
        }
        stored = { ...stored, status: { ...stored.status, used } };
      },
    };
    const servers = [resourceQuota(source), resourceQuota(source)];
    const results = await Promise.allSettled(
      servers.flatMap((server) => Array.from({ length: 4 }, () => validate(server, 'secrets', object('Secret')))),
    );
    const admitted = results.filter(({ status }) => status === 'fulfilled').length;
    assert.equal(admitted, 3);
    assert.deepEqual(stored.status?.used, { secrets: '3' });
    assert.ok(conflicts > 0);
  });

  it('charges the difference of an update', async () => {
    const { plugin, used } = keep(quota({ 'services.nodeports': '2', 'services.loadbalancers': '1', services: '1' }));
    const service = (type: string, more: Spec = {}) =>
      object('Service', { type, ports: [{ port: 1 }, { port: 2 }], ...more });
    await validate(plugin, 'services', service('ClusterIP'));
    const update = (given: ReturnType<typeof service>, oldObject: ReturnType<typeof service>) =>
      validate(plugin, 'services', given, { operation: 'UPDATE', oldObject });
    await update(service('NodePort'), service('ClusterIP'));
    assert.deepEqual(used(), { services: '1', 'services.loadbalancers': '0', 'services.nodeports': '2' });
    await update(service('NodePort'), service('NodePort'));
    await update(service('LoadBalancer', { allocateLoadBalancerNodePorts: false }), service('NodePort'));
    assert.deepEqual(used(), { services: '1', 'services.loadbalancers': '1', 'services.nodeports': '2' });
  });

  it('charges storage by class', async () => {
    const { plugin, used } = keep(
      quota({ 'requests.storage': '10Gi', 'gold.storageclass.storage.k8s.io/requests.storage': '5Gi' }),
    );
    const claim = (storage: string) =>
      object('PersistentVolumeClaim', { storageClassName: 'gold', resources: { requests: { storage } } });
    await validate(plugin, 'persistentvolumeclaims', claim('4Gi'));
    assert.deepEqual(used(), { 'requests.storage': '4Gi', 'gold.storageclass.storage.k8s.io/requests.storage': '4Gi' });
    await assert.rejects(validate(plugin, 'persistentvolumeclaims', claim('2Gi')), {
      message: /limited: gold\.storageclass\.storage\.k8s\.io\/requests\.storage=5Gi$/,
    });
  });

  it('charges devices by class, the largest alternative for each', async () => {
    const perClass = (name: string) => `${name}.deviceclass.resource.k8s.io/devices`;
    const { plugin, used } = keep(
      quota({ [perClass('gpu')]: '40', [perClass('nic')]: '2', 'count/resourceclaims.resource.k8s.io': '9' }),
    );
    const resource = { group: 'resource.k8s.io', version: 'v1', resource: 'resourceclaims' };
    const exactly = (deviceClassName: string, allocationMode: string, count?: number) => ({
      deviceClassName,
      allocationMode,
      count,
    });
    const claim = (...requests: Spec[]) => object('ResourceClaim', { devices: { requests } });
    const firstAvailable = [
      exactly('gpu', 'ExactCount', 4),
      exactly('gpu', 'ExactCount', 2),
      exactly('nic', 'ExactCount', 1),
    ];
    await validate(plugin, '', claim({ exactly: exactly('gpu', 'ExactCount', 1) }, { firstAvailable }), { resource });
    const counted = { [perClass('gpu')]: '5', [perClass('nic')]: '1', 'count/resourceclaims.resource.k8s.io': '1' };
    assert.deepEqual(used(), counted);
    const all = claim({ exactly: exactly('gpu', 'All') });
    await validate(plugin, '', all, { resource });
    assert.deepEqual(used(), { ...counted, [perClass('gpu')]: '37', 'count/resourceclaims.resource.k8s.io': '2' });
    await assert.rejects(validate(plugin, '', all, { resource }), {
      message:
        /exceeded quota: q, requested: gpu\.deviceclass\.resource\.k8s\.io\/devices=32, used: .*=37, limited: .*=40$/,
    });
  });

  it('applies only to pods in its scopes', async () => {
    const classes = {
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    };
    const { plugin } = keep(quota({ pods: '0' }, { pods: '0' }, classes));
    await validate(plugin, 'pods', pod({}, {}, { priorityClassName: 'low' }));
    await assert.rejects(validate(plugin, 'pods', pod({}, {}, { priorityClassName: 'high' })), {
      message: /exceeded quota/,
    });
    const terminating = keep(quota({ pods: '0' }, { pods: '0' }, { scopes: ['Terminating'] }));
    await validate(terminating.plugin, 'pods', pod());
    await assert.rejects(validate(terminating.plugin, 'pods', pod({}, {}, { activeDeadlineSeconds: 5 })), {
      code: 403,
    });
  });

  it('applies to a pod as soon as it gets a deadline', async () => {
    const { plugin, used } = keep(quota({ pods: '1' }, { pods: '0' }, { scopes: ['Terminating'] }));
    const endless = pod();
    const ending = pod({}, {}, { activeDeadlineSeconds: 5 });
    const update = { operation: 'UPDATE', oldObject: endless } as const;
    await validate(plugin, 'pods', pod({}, {}, { nodeName: 'n' }), update);
    assert.deepEqual(used(), { pods: '0' });
    await validate(plugin, 'pods', ending, update);
    assert.deepEqual(used(), { pods: '1' });
    await validate(plugin, 'pods', ending, { ...update, oldObject: ending });
    await assert.rejects(validate(plugin, 'pods', ending), { code: 403, message: /exceeded quota/ });
  });

  it('ignores events and cluster-scoped objects', async () => {
    const { plugin } = keep(quota({ 'count/events': '0', 'count/nodes': '0' }));
    await validate(plugin, 'events', object('Event'));
    await validate(plugin, 'nodes', object('Node'), { namespace: '' });
  });
});

// Upstream's table is in apiserver `pkg/admission/plugin/resourcequota/admission_test.go`.
describe('ResourceQuota with limited resources', () => {
  const limited = (resource: string, matchContains: string[], values: string[] = []) => ({
    resource: { group: '', resource },
    matchContains,
    matchScopes: values.length === 0 ? [] : [{ scopeName: 'PriorityClass', operator: 'In', values }],
  });

  it('refuses the use of a resource without a quota for it', async () => {
    const plugin = resourceQuota(keepNone, [limited('pods', ['cpu', 'memory'])]);
    await assert.rejects(validate(plugin, 'pods', pod({ cpu: '1' })), {
      code: 403,
      message: 'pods "a" is forbidden: insufficient quota to consume: cpu,requests.cpu',
    });
    await validate(plugin, 'pods', pod());
    await validate(plugin, 'configmaps', object('ConfigMap'));
    const { kept } = keep(quota({ cpu: '2', 'requests.cpu': '2' }));
    const source = { ...keepNone, resourceQuotas: async () => [kept.quota], recordUsage: async () => undefined };
    await validate(resourceQuota(source, [limited('pods', ['cpu'])]), 'pods', pod({ cpu: '1' }));
  });

  it('refuses an object of a scope without a quota of that scope', async () => {
    const rules = [limited('pods', [], ['high'])];
    const high = pod({}, {}, { priorityClassName: 'high' });
    await assert.rejects(validate(resourceQuota(keepNone, rules), 'pods', high), {
      code: 500,
      message: 'insufficient quota to match these scopes: [{PriorityClass In [high]}]',
    });
    await validate(resourceQuota(keepNone, rules), 'pods', pod({}, {}, { priorityClassName: 'low' }));
    const scoped = quota({ pods: '9' }, undefined, {
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
    });
    const source = { ...keepNone, resourceQuotas: async () => [scoped], recordUsage: async () => undefined };
    await validate(resourceQuota(source, rules), 'pods', high);
  });
});

const keepNone: ResourceQuotaSource = {
  resourceQuotas: async () => [],
  recordUsage: () => Promise.reject(new Error('nothing is counted')),
};
