/** In-tree volume types, their plugins, and the CSI drivers that replace them. Upstream: `csi-translation-lib/plugins`. */
const migrated = [
  { type: 'awsElasticBlockStore', plugin: 'kubernetes.io/aws-ebs', driver: 'ebs.csi.aws.com' },
  { type: 'azureDisk', plugin: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com' },
  { type: 'azureFile', plugin: 'kubernetes.io/azure-file', driver: 'file.csi.azure.com' },
  { type: 'cinder', plugin: 'kubernetes.io/cinder', driver: 'cinder.csi.openstack.org' },
  { type: 'gcePersistentDisk', plugin: 'kubernetes.io/gce-pd', driver: 'pd.csi.storage.gke.io' },
  { type: 'portworxVolume', plugin: 'kubernetes.io/portworx-volume', driver: 'pxd.portworx.com' },
  { type: 'vsphereVolume', plugin: 'kubernetes.io/vsphere-volume', driver: 'csi.vsphere.vmware.com' },
] as const;

const drivers: ReadonlyMap<string, string> = new Map(migrated.map(({ plugin, driver }) => [plugin, driver]));

/** An in-tree plugin and the CSI driver that replaces it. */
export interface Migration {
  readonly plugin: string;
  readonly driver: string;
}

/** How a volume of a pod, or the spec of a PersistentVolume, is migrated; undefined if no CSI driver replaces its type. */
export function migrationOf(
  volume: Readonly<Partial<Record<(typeof migrated)[number]['type'], unknown>>>,
): Migration | undefined {
  return migrated.find(({ type }) => volume[type] !== undefined);
}

/** The driver that does the work of an in-tree plugin; undefined if none replaces the plugin. */
export function driverOfPlugin(plugin: string): string | undefined {
  return drivers.get(plugin);
}
