import type { PersistentVolume } from '@binnacle/client/kinds/core/v1';

/** In-tree plugins, and the CSI drivers that replaced them. Upstream: `csi-translation-lib`. */
const drivers: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/azure-file', 'file.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
  ['kubernetes.io/vsphere-volume', 'csi.vsphere.vmware.com'],
]);

const pluginsOfSources = [
  ['awsElasticBlockStore', 'kubernetes.io/aws-ebs'],
  ['azureDisk', 'kubernetes.io/azure-disk'],
  ['azureFile', 'kubernetes.io/azure-file'],
  ['cinder', 'kubernetes.io/cinder'],
  ['gcePersistentDisk', 'kubernetes.io/gce-pd'],
  ['portworxVolume', 'kubernetes.io/portworx-volume'],
  ['vsphereVolume', 'kubernetes.io/vsphere-volume'],
] as const;

/** The driver that does the work of an in-tree plugin; undefined if the plugin was not replaced. */
export function driverOfPlugin(plugin: string): string | undefined {
  return drivers.get(plugin);
}

/** The in-tree plugin of a volume, if a CSI driver has replaced it. */
export function migratedPluginOf({ spec }: PersistentVolume): string | undefined {
  return pluginsOfSources.find(([source]) => spec?.[source] !== undefined)?.[1];
}
