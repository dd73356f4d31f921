import type { Random } from '@binnacle/apimachinery/clock';
import type { RangeAllocation } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv';
import { type KindCodec, type StorageMediaType, VersionSet } from '../codec/index.js';
import { ObjectStorage, type StoredObject } from '../storage/index.js';
import type { AllocationObserver, RangeUsage } from './allocation-observer.js';
import { PortBitmap, type PortRange } from './port-bitmap.js';
import { BitmapChooser, DryRunChooser, type PortChooser } from './port-chooser.js';

/** The key under the storage prefix; kube-apiserver uses the same one. */
const PATH = 'ranges/';
const NAME = 'servicenodeports';

export interface NodePortsOptions {
  readonly kv: KV;
  /** The prefix of every key: `/registry/`. */
  readonly storagePrefix: string;
  /** The encoding in which the bitmap is stored. */
  readonly storageMediaType: StorageMediaType;
  /** Codec of `v1 RangeAllocation`. */
  readonly codec: KindCodec;
  readonly range: PortRange;
  /** Every node port of the stored services. A missing bitmap is rebuilt from them. */
  readonly usedPorts: () => Promise<Iterable<number>>;
  readonly random: Random;
  readonly observer: AllocationObserver;
}

/** The allocated node ports of all services, in one stored bitmap that all servers share. */
export class NodePorts {
  readonly #options: NodePortsOptions;
  readonly #storage: ObjectStorage;
  readonly #versions: VersionSet;
  readonly #key: string;
  /**
   * The latest version that this server has read. A write with a stale one conflicts, and the store returns the current
   * one.
   */
  #known: StoredObject | undefined;

  constructor(options: NodePortsOptions) {
    this.#options = options;
    const { kv, storagePrefix, storageMediaType: mediaType, codec } = options;
    const prefix = storagePrefix + PATH;
    this.#key = prefix + NAME;
    const versions = new Map([[codec.apiVersion, codec]]);
    this.#versions = new VersionSet({ storage: codec, versions, selectableFields: () => ({}), mediaType });
    this.#storage = new ObjectStorage({ kv, codec: this.#versions, prefix });
  }

  /**
   * Claims the ports that `choose` takes, in one write. `choose` must be pure: it runs again after a conflict with
   * another server. An error from it propagates, and nothing is claimed.
   */
  async claim<T>(choose: (chooser: PortChooser) => T): Promise<{ result: T; ports: readonly number[] }> {
    const { random, observer } = this.#options;
    let chooser: BitmapChooser | undefined;
    try {
      const claimed = await this.#change((bitmap) => {
        chooser = new BitmapChooser(bitmap, random);
        const result = choose(chooser);
        return { result, chooser };
      });
      for (const scope of claimed.chooser.taken) observer.portClaimed(scope);
      return { result: claimed.result, ports: claimed.chooser.chosen };
    } finally {
      for (const scope of chooser?.refused ?? []) observer.portRefused(scope);
    }
  }

  /** The usage in the state that this server has read last; undefined: it has read none. */
  get usage(): RangeUsage | undefined {
    const { range } = this.#options;
    const object: Partial<RangeAllocation> | undefined = this.#decode(this.#known);
    if (object === undefined || object.range !== range.text) return undefined;
    return new PortBitmap(range, Buffer.from(object.data ?? '', 'base64')).usage;
  }

  /** Runs `choose` for a dry run. */
  async preview<T>(choose: (chooser: PortChooser) => T): Promise<T> {
    const stored = await this.#storage.get(this.#key);
    return choose(new DryRunChooser(await this.#bitmapOf(stored)));
  }

  async release(ports: readonly number[]): Promise<void> {
    if (ports.length > 0) await this.change((bitmap) => ports.forEach((port) => bitmap.remove(port)));
  }

  /** Edits the bitmap. `edit` runs again after a conflict, and an edit that changes nothing is not written. */
  async change(edit: (bitmap: PortBitmap) => void): Promise<void> {
    await this.#change(edit);
  }

  async #change<T>(edit: (bitmap: PortBitmap) => T): Promise<T> {
    let outcome: { readonly value: T } | undefined;
    const result = await this.#storage.update(this.#key, this.#known, async (current) => {
      const bitmap = await this.#bitmapOf(current);
      outcome = { value: edit(bitmap) };
      return { type: 'write', object: this.#objectOf(bitmap, current) };
    });
    this.#known = result?.stored;
    if (outcome === undefined) throw new Error('the store did not call the update function');
    return outcome.value;
  }

  async #bitmapOf(stored: StoredObject | undefined): Promise<PortBitmap> {
    const { range } = this.#options;
    const object: Partial<RangeAllocation> | undefined = this.#decode(stored);
    if (object !== undefined && object.range === range.text)
      return new PortBitmap(range, Buffer.from(object.data ?? '', 'base64'));
    const bitmap = new PortBitmap(range);
    for (const port of await this.#options.usedPorts()) bitmap.add(port);
    return bitmap;
  }

  #objectOf(bitmap: PortBitmap, current: StoredObject | undefined): KubernetesObject {
    const object = this.#decode(current) ?? { apiVersion: 'v1', kind: 'RangeAllocation', metadata: {} };
    return { ...object, range: bitmap.range.text, data: bitmap.toBytes().toString('base64') };
  }

  /** Decodes the stored bytes directly. As in kube-apiserver the object has no uid, so the registry cannot read it. */
  #decode(stored: StoredObject | undefined): KubernetesObject | undefined {
    return stored === undefined ? undefined : this.#versions.decode(stored.canonical);
  }
}
