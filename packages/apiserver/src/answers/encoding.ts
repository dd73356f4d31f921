import type { JsonObject } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import type { KindCodec } from '../codec/index.js';
import type { Body } from '../http/index.js';
import type { StoredObject } from '../storage/index.js';
import type { LongDocument } from './long-document.js';

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

/** How answers stand in one media type: whole bodies, of which the large ones are made while they are sent. */
export interface Encoding {
  readonly contentType: string;
  stored(view: Presentation, stored: StoredObject): Body;
  /** An object that is stored nowhere. */
  object(codec: KindCodec, object: Readonly<KubernetesObject>): Body;
  document(document: MetaDocument): Body;
  /** An object's metadata alone, of a version of meta.k8s.io, out of its JSON. */
  partialMetadata(version: MetaVersion, json: Uint8Array): Body;
  /** Rejects where an object cannot be read. */
  storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body>;
  list(codec: KindCodec, head: ListHead, objects: readonly Readonly<KubernetesObject>[]): Body | Promise<Body>;
  /** A document of meta.k8s.io: a list of metadata alone, a table. */
  longDocument(document: LongDocument): Body | Promise<Body>;
}

/** A media type that watches can be answered in as well. Its objects stand within frames, and so are whole. */
export interface StreamEncoding extends Encoding {
  /** Of a stream of frames. */
  readonly streamContentType: string;
  stored(view: Presentation, stored: StoredObject): Uint8Array;
  object(codec: KindCodec, object: Readonly<KubernetesObject>): Uint8Array;
  document(document: MetaDocument): Uint8Array;
  partialMetadata(version: MetaVersion, json: Uint8Array): Uint8Array;
  /** One event of a watch around the body of its object. */
  frame(type: string, object: Uint8Array): Uint8Array;
  /** The same for a stored object. */
  storedFrame(type: string, view: Presentation, stored: StoredObject): Uint8Array;
}
