import { driverOfPlugin, migrationOf } from '@binnacle/api/pods';
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

/** The disk of an in-tree volume; undefined if no CSI driver attaches it on this node. */
export function migratedDisk(sources: InTreeSources, csiNode: CSINode | undefined): Disk | undefined {
  const handle = handleOf(sources);
  const driver = migratedDriver(migrationOf(sources)?.plugin ?? '', csiNode);
  return handle === undefined || driver === undefined ? undefined : { driver, handle };
}

export function isMigratable(sources: InTreeSources): boolean {
  return handleOf(sources) !== undefined;
}

function handleOf(sources: InTreeSources): string | undefined {
  const { awsElasticBlockStore, azureDisk, cinder, gcePersistentDisk, portworxVolume } = sources;
  return (
    awsElasticBlockStore?.volumeID ??
    azureDisk?.diskURI ??
    cinder?.volumeID ??
    gcePersistentDisk?.pdName ??
    portworxVolume?.volumeID
  );
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
