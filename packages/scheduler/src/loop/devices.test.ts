import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Pod, ServiceAccount } from '@binnacle/client/kinds/core/v1';
import { DeviceClass, ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import { deviceClassObject, DRIVER, resourceClaim, sliceObject } from '../testing/index.js';
import { ScheduledCluster } from './scheduler.testing.js';

const isBound = ({ spec }: Pod) => spec?.nodeName !== undefined;
const messageOf = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
const claims = ({ client }: ScheduledCluster) => client.resource(ResourceClaim).namespace('default');
const using = (claim: string) => ({ spec: { resourceClaims: [{ name: 'g', resourceClaimName: claim }] } });

/** Two nodes, a device on the second, and claims for one device each. */
async function start(
  device: Parameters<typeof sliceObject>[1],
  ...names: readonly string[]
): Promise<ScheduledCluster> {
  const cluster = await ScheduledCluster.start();
  const { client } = cluster;
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } } as const;
  await client.resource(ServiceAccount).namespace('default').create(account);
  for (const name of ['n1', 'n2']) await cluster.addNode(name);
  await client.resource(DeviceClass).create(deviceClassObject('gpu'));
  await client.resource(ResourceSlice).create(sliceObject('n2', device));
  for (const name of names) await claims(cluster).create({ ...resourceClaim(name), metadata: { name } });
  return cluster;
}

describe('the scheduler, with resource claims', () => {
  it('allocates a device, and writes the claim before it binds the pod', async () => {
    await using cluster = await start(['d'], 'c');
    const { metadata } = await cluster.addPod('p', using('c'));
    assert.equal((await cluster.until('p', isBound)).spec?.nodeName, 'n2');
    const claim = await claims(cluster).get('c');
    assert.deepEqual(claim.metadata.finalizers, ['resource.kubernetes.io/delete-protection']);
    assert.deepEqual(claim.status?.reservedFor, [{ resource: 'pods', name: 'p', uid: metadata.uid }]);
    const { devices, nodeSelector, allocationTimestamp } = claim.status?.allocation ?? {};
    assert.deepEqual(devices?.results, [{ request: 'r', driver: DRIVER, pool: 'n2', device: 'd' }]);
    assert.deepEqual(nodeSelector?.nodeSelectorTerms[0]?.matchFields?.[0]?.values, ['n2']);
    assert.notEqual(allocationTimestamp, undefined);
    assert.deepEqual(
      cluster.writes.filter((write) => !write.includes('/events')),
      [
        'PUT /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c',
        'PUT /apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status',
        'POST /api/v1/namespaces/default/pods/p/binding',
      ],
    );
  });

  it('lets pods share a claim, and gives a device to one claim at a time', async () => {
    await using cluster = await start(['d'], 'c', 'other');
    for (const name of ['p', 'q']) await cluster.addPod(name, using('c'));
    for (const name of ['p', 'q']) await cluster.until(name, isBound);
    assert.equal((await claims(cluster).get('c')).status?.reservedFor?.length, 2);
    await cluster.addPod('late', using('other'));
    const message = messageOf(await cluster.until('late', (pod) => messageOf(pod) !== ''));
    assert.match(
      message,
      /^0\/2 nodes are available: 2 cannot allocate all claims\. still not schedulable, preemption: /,
    );
    const { status: _, ...freed } = await claims(cluster).get('c');
    await claims(cluster).status.update({ ...freed, status: {} });
    assert.equal((await cluster.until('late', isBound)).spec?.nodeName, 'n2');
  });

  it('waits for the class and for the devices', async () => {
    await using cluster = await start([], 'c');
    await cluster.client.resource(DeviceClass).delete('gpu');
    await cluster.addPod('p', using('c'));
    await cluster.until('p', (pod) => messageOf(pod).includes('request r: device class gpu does not exist'));
    await cluster.client.resource(DeviceClass).create(deviceClassObject('gpu'));
    await cluster.until('p', (pod) => messageOf(pod).includes('2 cannot allocate all claims'));
    const slice = await cluster.client.resource(ResourceSlice).get('n2');
    const spec = { ...slice.spec, devices: [{ name: 'd' }] };
    await cluster.client.resource(ResourceSlice).update({ ...slice, spec });
    await cluster.until('p', isBound);
  });

  it('binds the pod once the driver has prepared its device', async () => {
    const device = {
      name: 'd',
      bindingConditions: ['example.com/ready'],
      bindingFailureConditions: ['example.com/bad'],
    };
    await using cluster = await start([device], 'c');
    await cluster.addPod('p', using('c'));
    for (let step = 0; step < 600; step++) await cluster.clock.advance(100);
    assert.ok(!isBound(await cluster.until('p', () => true)));
    const claim = await claims(cluster).get('c');
    const ready = {
      type: 'example.com/ready',
      status: 'True',
      reason: 'r',
      message: '',
      lastTransitionTime: '2027-01-04T00:00:00Z',
    } as const;
    const devices = [{ driver: DRIVER, pool: 'n2', device: 'd', conditions: [ready] }];
    await claims(cluster).status.update({ ...claim, status: { ...claim.status, devices } });
    await cluster.until('p', isBound);
  });

  it('frees an allocation that the pod cannot reach', async () => {
    await using cluster = await start(['d'], 'c');
    const claim = await claims(cluster).get('c');
    const results = [{ request: 'r', driver: DRIVER, pool: 'gone', device: 'x' }];
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: ['gone'] }] as const;
    const allocation = { devices: { results }, nodeSelector: { nodeSelectorTerms: [{ matchFields }] } };
    await claims(cluster).status.update({ ...claim, status: { allocation } });
    await cluster.addPod('p', using('c'));
    assert.equal((await cluster.until('p', isBound)).spec?.nodeName, 'n2');
    assert.equal((await claims(cluster).get('c')).status?.allocation?.devices?.results?.[0]?.pool, 'n2');
  });
});

describe('the scheduler, with extended resources of DeviceClasses', () => {
  const GPU = 'example.com/gpu';
  const asking = (count: string) => {
    const resources = { requests: { [GPU]: count }, limits: { [GPU]: count } };
    return { spec: { containers: [{ name: 'c', image: 'img', resources }] } };
  };

  it('claims devices, says so in the status of the pod, and binds it', async () => {
    await using cluster = await start(['d', 'e']);
    const gpu = await cluster.client.resource(DeviceClass).get('gpu');
    await cluster.client.resource(DeviceClass).update({ ...gpu, spec: { extendedResourceName: GPU } });
    await cluster.addPod('p', asking('2'));
    const { spec, status, metadata } = await cluster.until('p', isBound);
    assert.equal(spec?.nodeName, 'n2');
    const { resourceClaimName = '', requestMappings } = status?.extendedResourceClaimStatus ?? {};
    assert.match(resourceClaimName, /^p-extended-resources-/);
    const requestName = 'container-0-request-0';
    assert.deepEqual(requestMappings, [{ containerName: 'c', resourceName: GPU, requestName }]);
    const claim = await claims(cluster).get(resourceClaimName);
    assert.deepEqual(claim.status?.reservedFor, [{ resource: 'pods', name: 'p', uid: metadata.uid }]);
    assert.equal(claim.status?.allocation?.devices?.results?.length, 2);
    assert.equal(claim.metadata.annotations?.['resource.kubernetes.io/extended-resource-claim'], 'true');
    await cluster.addPod('late', asking('1'));
    await cluster.until('late', (pod) => messageOf(pod).includes('2 cannot allocate all claims'));
  });

  it('waits for a DeviceClass with the name of the resource', async () => {
    await using cluster = await start(['d']);
    await cluster.addPod('p', asking('1'));
    await cluster.until('p', (pod) => messageOf(pod).includes(`2 Insufficient ${GPU}`));
    const gpu = await cluster.client.resource(DeviceClass).get('gpu');
    await cluster.client.resource(DeviceClass).update({ ...gpu, spec: { extendedResourceName: GPU } });
    assert.equal((await cluster.until('p', isBound)).spec?.nodeName, 'n2');
  });
});
