import type { Device, ResourceSlice } from '@binnacle/client/kinds/resource/v1';

/** A device that a slice offers. */
export interface OfferedDevice {
  readonly key: string;
  readonly device: Device;
  readonly slice: ResourceSlice;
}

/** Names a device in the cluster. */
export function deviceKey(driver: string, pool: string, device: string): string {
  return `${driver}/${pool}/${device}`;
}

export function devicesOf(slice: ResourceSlice): OfferedDevice[] {
  const { driver, pool, devices = [] } = slice.spec;
  return devices.map((device) => ({ key: deviceKey(driver, pool.name, device.name), device, slice }));
}
