import type { Status } from '@binnacle/apimachinery/status';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import type { Steps } from '@binnacle/apimachinery/work';
import type { KindCodec } from '../codec/index.js';
import type { Body } from '../http/index.js';
import type { StoredObject } from '../storage/index.js';

/** How a path shows stored objects. */
export interface Presentation {
  /** The kind of bodies and answers. */
  readonly codec: KindCodec;
  /** True when {@link show} returns the stored object unchanged, so that its bytes can be served. */
  readonly isStoredForm: boolean;
  show(stored: StoredObject): KubernetesObject;
}

/** A document of meta.k8s.io: a Status, partial metadata or a table. */
export type MetaDocument = JsonObject & { readonly apiVersion: string; readonly kind: string };

export function documentOf(status: Status): MetaDocument {
  const { apiVersion, kind } = status;
  return { ...asJson(status), apiVersion, kind };
}

/** The fields of a list other than its items. */
export interface ListHead {
  readonly kind: string;
  readonly metadata: JsonObject;
}

/** A document with one long list, whose elements are made while it is sent. */
export interface LongDocument {
  readonly apiVersion: string;
  readonly kind: string;
  /** All fields in the order in which they are written, with the long list empty. */
  readonly fields: JsonObject;
  /** The field that contains the long list. */
  readonly list: 'items' | 'rows';
  /** The number of elements. */
  readonly count: number;
  /** The JSON of each element. It may be iterated more than once. */
  readonly elements: Iterable<Uint8Array>;
}

/** The version of meta.k8s.io. */
export type MetaVersion = 'v1' | 'v1beta1';

/** Encodes answers in one media type. Large bodies are made while they are sent. */
export interface Encoding {
  readonly contentType: string;
  stored(view: Presentation, stored: StoredObject): Body;
  /** {@link stored} in steps, for large objects. Absent: it copies bytes, or makes the body while it is sent. */
  storedInSteps?(view: Presentation, stored: StoredObject): Steps<Body>;
  /** An object that is not stored, which may be large. */
  objectInSteps(codec: KindCodec, object: Readonly<KubernetesObject>): Steps<Body>;
  document(document: MetaDocument): Body;
  /** Partial metadata in a version of meta.k8s.io, from the metadata's JSON. */
  partialMetadata(version: MetaVersion, json: Uint8Array): Body;
  /** Rejects if an object cannot be read. */
  storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body>;
  list(codec: KindCodec, head: ListHead, objects: readonly Readonly<KubernetesObject>[]): Body | Promise<Body>;
  /** A long document of meta.k8s.io: a list of partial metadata, or a table. */
  longDocument(document: LongDocument): Body | Promise<Body>;
}

/** A media type that can also encode watches. Frames contain whole objects. */
export interface StreamEncoding extends Encoding {
  /** The content type of a stream of frames. */
  readonly streamContentType: string;
  stored(view: Presentation, stored: StoredObject): Uint8Array;
  /** A small object that is not stored. */
  object(codec: KindCodec, object: Readonly<KubernetesObject>): Uint8Array;
  document(document: MetaDocument): Uint8Array;
  partialMetadata(version: MetaVersion, json: Uint8Array): Uint8Array;
  /** One watch event with the encoded object. */
  frame(type: string, object: Uint8Array): Uint8Array;
  /** One watch event with a stored object. */
  storedFrame(type: string, view: Presentation, stored: StoredObject): Uint8Array;
}
