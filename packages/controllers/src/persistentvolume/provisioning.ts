import { driverOfPlugin } from '@binnacle/api/pods';
import type { PersistentVolume, PersistentVolumeClaim } from '@binnacle/client/kinds/core/v1';
import type { StorageClass } from '@binnacle/client/kinds/storage/v1';
import type { PlannedEvent } from '../common/index.js';
import { IN_TREE_FINALIZER, migratedClaim } from './migration.js';
import { HOST_PATH, pluginOf } from './plugins.js';
import {
  annotationOf,
  BETA_PROVISIONER,
  BOUND_BY_CONTROLLER,
  PROVISIONED_BY,
  PROVISIONER,
  referenceTo,
  SELECTED_NODE,
  withAnnotation,
} from '../volumes/index.js';

export interface ProvisioningOptions {
  /** The host path provisioner is enabled. */
  readonly isHostPathEnabled: boolean;
  readonly hasNode: (name: string) => boolean;
}

export interface ProvisioningPlan {
  /** Written to the claim first: it tells external provisioners whose turn it is. */
  readonly provisioner?: string;
  /** Created after that, unless it exists. */
  readonly volume?: PersistentVolume;
  /** The scheduler is to choose another node. */
  readonly isRescheduled?: true;
  /** Recorded after that; with a volume, once the volume exists. */
  readonly event: PlannedEvent;
}

/** How the claim gets a volume of its class. */
export function planProvisioning(
  claim: PersistentVolumeClaim,
  className: string,
  storageClass: StorageClass | undefined,
  options: ProvisioningOptions,
): ProvisioningPlan {
  if (storageClass === undefined) return failed(`storageclass.storage.k8s.io "${className}" not found`);
  const { provisioner } = storageClass;
  const driver = driverOfPlugin(provisioner);
  const found = pluginOf(provisioner, 'provisionable');
  if (driver !== undefined || ('error' in found && !provisioner.startsWith('kubernetes.io/'))) {
    return waitForExternal(driver ?? provisioner);
  }
  if ('error' in found) return failed(found.error);
  if (claim.spec?.dataSource !== undefined) {
    return failed(`plugin "${HOST_PATH}" is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`);
  }
  return { provisioner, ...planHostPath(claim, storageClass, options) };
}

/** The claim with the name of its provisioner; the same claim if it has that. */
export function claimOfProvisioner(claim: PersistentVolumeClaim, provisioner: string): PersistentVolumeClaim {
  if (annotationOf(claim, PROVISIONER) === provisioner) return claim;
  return migratedClaim(withAnnotation(withAnnotation(claim, BETA_PROVISIONER, provisioner), PROVISIONER, provisioner));
}

function planHostPath(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  { isHostPathEnabled, hasNode }: ProvisioningOptions,
): ProvisioningPlan {
  const className = storageClass.metadata.name ?? '';
  const { mountOptions = [] } = storageClass;
  if (mountOptions.length > 0) {
    const listed = `[${mountOptions.join(' ')}]`;
    return failed(
      `Mount options are not supported by the provisioner but StorageClass "${className}" has mount options ${listed}`,
    );
  }
  if (!isHostPathEnabled) {
    return failed(`Failed to create provisioner: provisioning in volume plugin "${HOST_PATH}" is disabled`);
  }
  const node = annotationOf(claim, SELECTED_NODE);
  if (node !== undefined && !hasNode(node)) return failed(`Failed to get target node: node "${node}" not found`);
  if (claim.spec?.volumeMode === 'Block') {
    const why = `${HOST_PATH} does not support block volume provisioning`;
    return { ...failed(`Failed to provision volume with StorageClass "${className}": ${why}`), isRescheduled: true };
  }
  const volume = hostPathVolume(claim, storageClass);
  const message = `Successfully provisioned volume ${volume.metadata.name ?? ''} using ${HOST_PATH}`;
  return { volume, event: { type: 'Normal', reason: 'ProvisioningSucceeded', message } };
}

/** A simulated directory: its name follows from the claim, and the loop touches no file. */
function hostPathVolume(claim: PersistentVolumeClaim, storageClass: StorageClass): PersistentVolume {
  const { uid = '' } = claim.metadata;
  const { accessModes = [], resources } = claim.spec ?? {};
  const { reclaimPolicy = 'Delete', metadata } = storageClass;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: `pvc-${uid}`,
      annotations: {
        'kubernetes.io/createdby': 'hostpath-dynamic-provisioner',
        [BOUND_BY_CONTROLLER]: 'yes',
        [PROVISIONED_BY]: HOST_PATH,
      },
      ...(reclaimPolicy === 'Delete' ? { finalizers: [IN_TREE_FINALIZER] } : {}),
    },
    spec: {
      persistentVolumeReclaimPolicy: reclaimPolicy,
      accessModes: accessModes.length > 0 ? accessModes : ['ReadWriteOnce'],
      capacity: { storage: resources?.requests?.['storage'] ?? '0' },
      hostPath: { path: `/tmp/hostpath_pv/${uid}` },
      claimRef: referenceTo(claim),
      storageClassName: metadata.name ?? '',
    },
  };
}

function waitForExternal(provisioner: string): ProvisioningPlan {
  const message =
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
    'or manually by the system administrator. If volume creation is delayed, please verify that ' +
    'the provisioner is running and correctly registered.';
  return { provisioner, event: { type: 'Normal', reason: 'ExternalProvisioning', message } };
}

function failed(message: string): ProvisioningPlan {
  return { event: { type: 'Warning', reason: 'ProvisioningFailed', message } };
}
