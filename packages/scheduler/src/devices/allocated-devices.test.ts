import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { DeviceRequestAllocationResult } from '@binnacle/client/kinds/resource/v1';
import { DRIVER, resourceClaim } from '../testing/index.js';
import { allocatedDevices } from './allocated-devices.js';
import { deviceKey } from './offered-device.js';

const claimOf = (...results: readonly Partial<DeviceRequestAllocationResult>[]) =>
  resourceClaim('c', undefined, {
    allocation: {
      devices: { results: results.map((each) => ({ request: 'r', driver: DRIVER, pool: 'n', device: 'd', ...each })) },
    },
  });

it('devices that claims share are taken in part, and those with admin access are free', () => {
  const shared = (shareID: string, memory: string) => ({ device: 's', shareID, consumedCapacity: { memory } });
  const allocated = allocatedDevices([
    resourceClaim('without devices'),
    claimOf({ device: 'a' }, { device: 'admin', adminAccess: true }),
    claimOf(shared('1', '1Gi'), shared('2', '2Gi')),
  ]);
  assert.deepEqual([...allocated.exclusive], [deviceKey(DRIVER, 'n', 'a')]);
  assert.deepEqual([...allocated.shared.keys()], [deviceKey(DRIVER, 'n', 's')]);
  assert.equal(
    allocated.shared
      .get(deviceKey(DRIVER, 'n', 's'))
      ?.get('memory')
      ?.toString(),
    '3Gi',
  );
});
