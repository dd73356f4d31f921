import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom, settle, VirtualClock } from '@binnacle/apimachinery/clock';
import { SharedInformerFactory } from '@binnacle/client/cache';
import { DynamicClient } from '@binnacle/client/dynamic';
import { DeviceClass, ResourceClaim, ResourceSlice } from '@binnacle/client/kinds/resource/v1';
import { FakeObjects } from '@binnacle/client/testing';
import { deviceClassObject, DRIVER, resourceClaim } from '../testing/index.js';
import { DeviceCache, deviceCaches } from './device-cache.js';

const GPU = 'example.com/gpu';
const results = [{ request: 'r', driver: DRIVER, pool: 'n', device: 'd' }];
const allocated = resourceClaim('c', undefined, { allocation: { devices: { results } } });

function start() {
  const objects = new FakeObjects([ResourceClaim, DeviceClass, ResourceSlice]);
  const parts = { clock: new VirtualClock(0), random: seededRandom(1) };
  const informers = new SharedInformerFactory(new DynamicClient(objects.transport), parts);
  const cache = new DeviceCache(deviceCaches(informers));
  const stopping = new AbortController();
  const running = informers.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort(new Error('the test ends'));
    await running;
  };
  const devicesInUse = () => cache.allocated().exclusive.size;
  return { objects, cache, devicesInUse, [Symbol.asyncDispose]: stop };
}

describe('the cache of claims and devices', () => {
  it('shows a created claim before its event, and no longer when it is gone', async () => {
    await using given = start();
    const { objects, cache, devicesInUse } = given;
    await settle();
    // No event can have arrived before the next turn.
    const created = objects.set(ResourceClaim, allocated);
    cache.enter(created);
    assert.equal(cache.claim('default', 'c'), created);
    assert.deepEqual([cache.claimsIn('default'), cache.claimsIn('other')], [[created], []]);
    assert.equal(devicesInUse(), 1);
    await settle();
    assert.deepEqual(cache.claimsIn('default'), [created]);
    assert.equal(devicesInUse(), 1);
    objects.delete(ResourceClaim, created.metadata);
    await settle();
    assert.deepEqual([cache.claim('default', 'c'), cache.claimsIn('default'), devicesInUse()], [undefined, [], 0]);
  });

  it('shows a written claim until it has a later version', async () => {
    await using given = start();
    const { objects, cache, devicesInUse } = given;
    objects.set(ResourceClaim, resourceClaim('c'));
    await settle();
    assert.equal(devicesInUse(), 0);
    cache.enter(objects.set(ResourceClaim, allocated));
    assert.equal(devicesInUse(), 1);
    objects.set(ResourceClaim, resourceClaim('c'));
    await settle();
    assert.equal(devicesInUse(), 0);
  });

  it('finds the newest DeviceClass of a resource, and the first by name of two that are equally new', async () => {
    await using given = start();
    const { objects, cache } = given;
    const add = (name: string, creationTimestamp: string) => {
      const { metadata, ...rest } = deviceClassObject(name, { extendedResourceName: GPU });
      objects.set(DeviceClass, { ...rest, metadata: { ...metadata, creationTimestamp } });
    };
    add('a', '2027-01-01T00:00:00Z');
    for (const name of ['c', 'b']) add(name, '2027-01-02T00:00:00Z');
    await settle();
    const classOf = (resource: string) => cache.classForResource(resource)?.metadata.name;
    const implicit = 'deviceclass.resource.kubernetes.io/a';
    assert.deepEqual([GPU, implicit, 'example.com/other'].map(classOf), ['b', 'a', undefined]);
  });
});
