import type { KubernetesObject } from '@binnacle/apimachinery/meta';

/**
 * How one kind's objects become stored bytes and back. Canonical bytes are the JSON that the server answers for the
 * object in its storage version, without a resourceVersion: served as they are, with the version spliced in. The store holds
 * them, or the same object in another encoding.
 */
export interface StorageCodec {
  /** `{"kind":"Pod","apiVersion":"v1",` : what canonical bytes begin with, and what list items leave out. */
  readonly head: Uint8Array;

  /**
   * An integer from 1 to 4294967295 that changes whenever {@link canonicalize} could change canonical bytes: with defaults,
   * schemas or the encoder. Undefined = unknown: each process canonicalizes stored values again.
   */
  readonly fingerprint?: number | undefined;

  /** Canonical bytes of an object; `metadata.resourceVersion` is left out whatever it holds. */
  encode(object: Readonly<KubernetesObject>): Uint8Array;

  /**
   * What the store is given for an object that has these canonical bytes: those themselves, or the object in another encoding, of
   * which the same holds: equal objects, equal bytes. Only once {@link beforeWriting} has settled.
   */
  toStored(canonical: Uint8Array): Uint8Array;

  /** Loads what writing needs; undefined = it is there. */
  beforeWriting(): Promise<void> | undefined;

  /** Loads what {@link canonicalize} needs for this value; undefined = it is there, as it is from the start for most values. */
  beforeReading(value: Uint8Array): Promise<void> | undefined;

  /** A fresh object out of canonical bytes, without a resourceVersion. */
  decode(canonical: Uint8Array): KubernetesObject;

  /**
   * Canonical bytes out of any stored value: another version, another encoding, another server's field order, older defaults. Throws
   * when the value cannot be read.
   */
  canonicalize(value: Uint8Array): Uint8Array;

  /** Where the member `metadata` begins in canonical bytes. */
  metadataOffset(canonical: Uint8Array): number;

  /** Where resourceVersion goes in canonical bytes: in metadata, before a member or before the closing brace. */
  spliceOffset(canonical: Uint8Array): number;

  /** The labels out of canonical bytes. */
  labels(canonical: Uint8Array): Readonly<Record<string, string>>;

  /** What selectors see beside the labels, out of canonical bytes; includes metadata.name and metadata.namespace. */
  fields(canonical: Uint8Array): Readonly<Record<string, string>>;
}
