import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KindCodec } from '../codec/index.js';
import type { Body } from '../http/index.js';
import type { StoredObject } from '../storage/index.js';

/** How a path shows stored objects. */
export interface Presentation {
  /** The kind that bodies and answers have. */
  readonly codec: KindCodec;
  /** True when {@link show} answers the stored object as it is, so that its bytes can be served. */
  readonly isStoredForm: boolean;
  show(stored: StoredObject): KubernetesObject;
}

/** A Status, or another document of meta.k8s.io: metadata alone, a table. */
export type MetaDocument = JsonObject & { readonly apiVersion: string; readonly kind: string };

/** What a list says beside its items. */
export interface ListHead {
  readonly kind: string;
  readonly metadata: JsonObject;
}

/** Of meta.k8s.io. */
export type MetaVersion = 'v1' | 'v1beta1';

/** What a list of metadata alone says beside its items. */
export interface PartialMetadataListHead {
  readonly version: MetaVersion;
  readonly metadata: JsonObject;
}

/** How answers stand in one media type: the bytes of whole bodies. */
export interface Encoding {
  readonly contentType: string;
  stored(view: Presentation, stored: StoredObject): Uint8Array;
  /** An object that is stored nowhere. */
  object(codec: KindCodec, object: Readonly<KubernetesObject>): Uint8Array;
  storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body>;
  list(codec: KindCodec, head: ListHead, items: readonly Readonly<KubernetesObject>[]): Uint8Array;
  document(document: MetaDocument): Uint8Array;
  /** An object's metadata alone, of a version of meta.k8s.io, out of its JSON. */
  partialMetadata(version: MetaVersion, json: Uint8Array): Uint8Array;
  /** A list of such, out of the JSON of its items. */
  partialMetadataList(head: PartialMetadataListHead, items: readonly Uint8Array[]): Body;
}

/** A media type that watches can be answered in as well. */
export interface StreamEncoding extends Encoding {
  /** Of a stream of frames. */
  readonly streamContentType: string;
  /** One event of a watch around the body of its object. */
  frame(type: string, object: Uint8Array): Uint8Array;
  /** The same for a stored object. */
  storedFrame(type: string, view: Presentation, stored: StoredObject): Uint8Array;
}
