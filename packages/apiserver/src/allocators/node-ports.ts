import type { RangeAllocation } from '@binnacle/api/types/core-v1';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KV } from '@binnacle/kv/interface';
import { type KindCodec, type StorageMediaType, VersionSet } from '../codec/index.js';
import { ObjectStorage, type StoredObject } from '../storage/index.js';
import { PortBitmap, type PortRange } from './port-bitmap.js';
import { BitmapChooser, DryRunChooser, type PortChooser } from './port-chooser.js';

/** Where kube-apiserver keeps it, too. */
const PATH = 'ranges/';
const NAME = 'servicenodeports';

export interface NodePortsOptions {
  readonly kv: KV;
  /** What every key begins with: `/registry/`. */
  readonly storagePrefix: string;
  /** In which encoding the bitmap is stored. */
  readonly storageMediaType: StorageMediaType;
  /** Of `v1 RangeAllocation`. */
  readonly codec: KindCodec;
  readonly range: PortRange;
  /** Every port that a stored service has: what the bitmap is made of when there is none. */
  readonly usedPorts: () => Promise<Iterable<number>>;
  readonly random: () => number;
}

/** The ports of all nodes that services have claimed, in one stored bitmap that all servers share. */
export class NodePorts {
  readonly #options: NodePortsOptions;
  readonly #storage: ObjectStorage;
  readonly #versions: VersionSet;
  readonly #key: string;
  /** The newest one seen; may be stale, then the store says so. */
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
   * Claims what `choose` takes from the chooser, in one write. It must be pure: it runs again when another server was
   * faster. What it throws is thrown on, and nothing is claimed.
   */
  async claim<T>(choose: (chooser: PortChooser) => T): Promise<{ result: T; ports: readonly number[] }> {
    return this.#change((bitmap) => {
      const chooser = new BitmapChooser(bitmap, this.#options.random);
      const result = choose(chooser);
      return { result, ports: chooser.chosen };
    });
  }

  /** What `choose` would get in a dry run. */
  async preview<T>(choose: (chooser: PortChooser) => T): Promise<T> {
    const stored = await this.#storage.get(this.#key);
    return choose(new DryRunChooser(await this.#bitmapOf(stored)));
  }

  async release(ports: readonly number[]): Promise<void> {
    if (ports.length > 0) await this.change((bitmap) => ports.forEach((port) => bitmap.remove(port)));
  }

  /** Edits the bitmap; `edit` runs again when another server was faster. Nothing is written when nothing changed. */
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
    if (outcome === undefined) throw new Error('the store never asked what to write');
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

  /** Straight from the stored bytes: it has no uid, as in kube-apiserver, and so cannot be served like an object. */
  #decode(stored: StoredObject | undefined): KubernetesObject | undefined {
    return stored === undefined ? undefined : this.#versions.decode(stored.canonical);
  }
}
