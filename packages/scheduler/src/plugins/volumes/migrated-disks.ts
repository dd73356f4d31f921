import { driverOfPlugin } from '@binnacle/controllers/common';
import type { CSINode } from '@binnacle/client/kinds/storage/v1';

const MIGRATED_PLUGINS = 'storage.alpha.kubernetes.io/migrated-plugins';

/** The disk of a driver. Two volumes with one handle count once. */
export interface Disk {
  readonly driver: string;
  readonly handle: string;
}

/** The in-tree sources that count against the limit of a CSI driver. Volumes of pods and PersistentVolumes both have them. */
export interface InTreeSources {
  readonly awsElasticBlockStore?: { readonly volumeID: string };
  readonly azureDisk?: { readonly diskURI: string };
  readonly cinder?: { readonly volumeID: string };
  readonly gcePersistentDisk?: { readonly pdName: string };
  readonly portworxVolume?: { readonly volumeID: string };
}

const plugins = [
  ['kubernetes.io/aws-ebs', ({ awsElasticBlockStore }) => awsElasticBlockStore?.volumeID],
  ['kubernetes.io/azure-disk', ({ azureDisk }) => azureDisk?.diskURI],
  ['kubernetes.io/cinder', ({ cinder }) => cinder?.volumeID],
  ['kubernetes.io/gce-pd', ({ gcePersistentDisk }) => gcePersistentDisk?.pdName],
  ['kubernetes.io/portworx-volume', ({ portworxVolume }) => portworxVolume?.volumeID],
] as const satisfies readonly (readonly [string, (sources: InTreeSources) => string | undefined])[];

/** The disk of an in-tree volume; undefined if no CSI driver attaches it on this node. */
export function migratedDisk(sources: InTreeSources, csiNode: CSINode | undefined): Disk | undefined {
  for (const [plugin, handleOf] of plugins) {
    const handle = handleOf(sources);
    const driver = handle === undefined ? undefined : migratedDriver(plugin, csiNode);
    if (handle !== undefined && driver !== undefined) return { driver, handle };
  }
  return undefined;
}

export function isMigratable(sources: InTreeSources): boolean {
  return plugins.some(([, handleOf]) => handleOf(sources) !== undefined);
}

/** The driver that replaces an in-tree plugin on the node. Upstream: `isCSIMigrationOn`. */
function migratedDriver(plugin: string, csiNode: CSINode | undefined): string | undefined {
  const migrated = csiNode?.metadata.annotations?.[MIGRATED_PLUGINS]?.split(',') ?? [];
  return migrated.includes(plugin) ? driverOfPlugin(plugin) : undefined;
}

/** The driver of a provisioner: itself, unless it is an in-tree plugin. */
export function driverOfProvisioner(provisioner: string, csiNode: CSINode | undefined): string | undefined {
  return driverOfPlugin(provisioner) === undefined ? provisioner : migratedDriver(provisioner, csiNode);
}
