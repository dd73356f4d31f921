import type { Volume } from '@binnacle/client/kinds/core/v1';

/**
 * The disks among a pod's volumes that two pods cannot share. A question costs one look-up a disk and monitor, because a pod has
 * room for thousands. Upstream: `isVolumeConflict`.
 */
export class Disks {
  /** Whether all uses of a disk only read, by its names. */
  readonly #areReaders = new Map<string, boolean>();

  constructor(volumes: readonly Volume[] = []) {
    for (const volume of volumes) {
      const isReader = isReading(volume);
      for (const name of namesOf(volume)) this.#areReaders.set(name, isReader && this.#areReaders.get(name) !== false);
    }
  }

  get isEmpty(): boolean {
    return this.#areReaders.size === 0;
  }

  /** Whether one of the volumes is on a disk of these, and one of the two writes. */
  excludeOneOf(volumes: readonly Volume[] = []): boolean {
    if (this.isEmpty) return false;
    return volumes.some((volume) => {
      const isReader = isReading(volume);
      for (const name of namesOf(volume)) {
        const areReaders = this.#areReaders.get(name);
        if (areReaders !== undefined && !(areReaders && isReader)) return true;
      }
      return false;
    });
  }
}

/** Two volumes with one name are on one disk. An RBD image has a name for each monitor. */
function* namesOf({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }: Volume): Generator<string> {
  if (gcePersistentDisk !== undefined) yield `gce ${gcePersistentDisk.pdName}`;
  if (awsElasticBlockStore !== undefined) yield `aws ${awsElasticBlockStore.volumeID}`;
  if (iscsi !== undefined) yield `iscsi ${iscsi.iqn}`;
  if (rbd === undefined) return;
  const image = JSON.stringify([rbd.pool ?? 'rbd', rbd.image]);
  for (const monitor of rbd.monitors) yield `rbd ${image} ${monitor}`;
}

/** Readers cannot share the disks of AWS either. */
function isReading({ gcePersistentDisk, iscsi, rbd }: Volume): boolean {
  return (gcePersistentDisk ?? iscsi ?? rbd)?.readOnly === true;
}
