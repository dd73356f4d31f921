import { createHash } from 'node:crypto';
import type { PersistentVolume } from '@binnacle/client/kinds/core/v1';

const PREFIX = 'kubernetes.io/csi/';

/** A volume of a CSI driver, by the driver's own handle. */
export interface CsiVolume {
  readonly driver: string;
  readonly handle: string;
}

export function csiVolumeOf({ spec }: PersistentVolume): CsiVolume | undefined {
  const { driver, volumeHandle: handle } = spec?.csi ?? {};
  return driver === undefined || handle === undefined ? undefined : { driver, handle };
}

/** The name of a volume in the status of nodes. */
export function uniqueName({ driver, handle }: CsiVolume): string {
  return `${PREFIX}${driver}^${handle}`;
}

/** The volume of a name in the status of a node; undefined if the name is not that of a CSI volume. */
export function volumeOfName(name: string): CsiVolume | undefined {
  const split = name.indexOf('^');
  if (!name.startsWith(PREFIX) || split < 0) return undefined;
  return { driver: name.slice(PREFIX.length, split), handle: name.slice(split + 1) };
}

/** The name of the VolumeAttachment of a volume and a node. External attachers and kubelets compute it too. */
export function attachmentName({ driver, handle }: CsiVolume, node: string): string {
  return `csi-${createHash('sha256').update(`${handle}${driver}${node}`).digest('hex')}`;
}
