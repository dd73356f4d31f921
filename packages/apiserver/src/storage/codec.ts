import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Steps } from '@binnacle/apimachinery/work';

/**
 * Converts one kind's objects to stored bytes and back. Canonical bytes are the JSON of the object in its storage
 * version, without a resourceVersion. The server serves them unchanged, with the version spliced in. The store holds
 * them, or the same object in another encoding.
 */
export interface StorageCodec {
  /** The prefix of canonical bytes, which list items leave out: `{"kind":"Pod","apiVersion":"v1",`. */
  readonly head: Uint8Array;

  /**
   * An integer from 1 to 4294967295 that changes whenever {@link canonicalize} could change canonical bytes: with
   * defaults, schemas or the encoder. Undefined = unknown: each process canonicalizes stored values again.
   */
  readonly fingerprint?: number | undefined;

  /** Canonical bytes of an object; `metadata.resourceVersion` is left out whatever it holds. */
  encode(object: Readonly<KubernetesObject>): Uint8Array;

  /** {@link encode} in steps, for large objects. The object must not change meanwhile. */
  encodeInSteps(object: Readonly<KubernetesObject>): Steps<Uint8Array>;

  /**
   * The bytes to store for these canonical bytes: the same, or the object in another encoding. Equal objects give
   * equal bytes. Call it only after {@link beforeWriting} has settled.
   */
  toStored(canonical: Uint8Array): Uint8Array;

  /** Loads what writing needs; undefined = already loaded. */
  beforeWriting(): Promise<void> | undefined;

  /** Loads what {@link canonicalize} needs for this value; undefined = already loaded, as for most values. */
  beforeReading(value: Uint8Array): Promise<void> | undefined;

  /** Decodes canonical bytes into a new object without a resourceVersion. */
  decode(canonical: Uint8Array): KubernetesObject;

  /** {@link decode} in steps, for large objects. */
  decodeInSteps(canonical: Uint8Array): Steps<KubernetesObject>;

  /**
   * Canonical bytes of any stored value: another version, encoding or field order, or older defaults. Throws when the
   * value cannot be read.
   */
  canonicalize(value: Uint8Array): Uint8Array;

  /** Where the member `metadata` begins in canonical bytes. */
  metadataOffset(canonical: Uint8Array): number;

  /**
   * Where resourceVersion is inserted into canonical bytes: in metadata, before a member or before the closing brace.
   */
  spliceOffset(canonical: Uint8Array): number;

  /** The labels in canonical bytes. */
  labels(canonical: Uint8Array): Readonly<Record<string, string>>;

  /** The values of field selectors in canonical bytes; includes metadata.name and metadata.namespace. */
  fields(canonical: Uint8Array): Readonly<Record<string, string>>;

  /** One of {@link fields} whose value is the string at its own path, such as `spec.nodeName`; empty if there is none. */
  field(canonical: Uint8Array, path: string): string;
}
