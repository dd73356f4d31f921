import { schemaOf } from '@binnacle/api/table';
import { isObject, type JsonValue } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  aroundMessage,
  encodeProtobuf,
  frameWatchEvent,
  messageField,
  messageFieldLength,
  transcodeJson,
  transcodeJsonInSteps,
  wrapEnvelope,
} from '@binnacle/apimachinery/protobuf';
import { encodeTyped, PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import type { KindCodec } from '../codec/index.js';
import { type Body, bodyOf } from '../http/index.js';
import type { StoredObject } from '../storage/index.js';
import { inTurns } from '../slices/index.js';
import type { ListHead, LongDocument, MetaDocument, MetaVersion, Presentation, StreamEncoding } from './encoding.js';
import { lazily } from './long-document.js';

/** Also for meta.k8s.io/v1beta1: only its lists of partial metadata have other field numbers. */
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** The field number of metadata in every list of every group... */
const LIST_METADATA = 1;
const LIST_ITEMS = 2;
/** ...except lists of partial metadata in this version. */
const OLD_VERSION = 'meta.k8s.io/v1beta1';
const OLD_LIST_ITEMS = 1;
const OLD_LIST_METADATA = 2;
const NOTHING = new Uint8Array();

/** Upstream's binary form: an envelope around the object's message. */
export const protobufEncoding: StreamEncoding = {
  contentType: PROTOBUF_MEDIA_TYPE,
  streamContentType: `${PROTOBUF_MEDIA_TYPE};stream=watch`,

  stored: (view, stored) => enveloped(view.codec, transcodeJson(jsonOf(view, stored), view.codec.schema)),

  /** A document long enough for several steps has memory of its own. */
  *storedInSteps(view, stored) {
    return enveloped(view.codec, yield* transcodeJsonInSteps(jsonOf(view, stored), view.codec.schema));
  },

  object: (codec, object) => enveloped(codec, encodeProtobuf(asJson(object), codec.schema)),

  *objectInSteps(codec, object) {
    return enveloped(codec, yield* transcodeJsonInSteps(yield* codec.encodeInSteps(object), codec.schema));
  },

  async storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body> {
    const list = objectList(
      view.codec,
      head,
      lazily(items, (stored) => jsonOf(view, stored)),
    );
    let length = 0;
    await inTurns(items, (stored) => {
      length += storedLength(view, stored, list);
    });
    return bodyOfList(list, length);
  },

  list(codec: KindCodec, head: ListHead, objects: readonly Readonly<KubernetesObject>[]): Promise<Body> {
    return measuredList(
      objectList(
        codec,
        head,
        lazily(objects, (object) => codec.encode(object)),
      ),
    );
  },

  document(document: MetaDocument): Uint8Array {
    const { apiVersion, kind } = document;
    return wrapEnvelope(apiVersion, kind, encodeProtobuf(document, schemaOf(`${META}.${kind}`)));
  },

  partialMetadata(version: MetaVersion, json: Uint8Array): Uint8Array {
    return wrapEnvelope(`meta.k8s.io/${version}`, 'PartialObjectMetadata', transcodeJson(json, partialSchema()));
  },

  /** Only partial metadata: tables have no protobuf form. */
  longDocument({ apiVersion, kind, fields, elements }: LongDocument): Promise<Body> {
    const isOld = apiVersion === OLD_VERSION;
    const metadata = metadataField(isOld ? OLD_LIST_METADATA : LIST_METADATA, fields['metadata'] ?? {});
    return measuredList({
      apiVersion,
      kind,
      before: isOld ? NOTHING : metadata,
      after: isOld ? metadata : NOTHING,
      number: isOld ? OLD_LIST_ITEMS : LIST_ITEMS,
      schema: partialSchema(),
      elements,
    });
  },

  frame: frameWatchEvent,

  storedFrame: (type, view, stored) => frameWatchEvent(type, protobufEncoding.stored(view, stored)),
};

const partialSchema = (): StructSchema => schemaOf(`${META}.PartialObjectMetadata`);

/** Reused for the JSON of one object after another: a buffer for each would be garbage. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** The JSON of a shown object, valid until the next call. An object stored in that form need not be decoded. */
function jsonOf(view: Presentation, stored: StoredObject): Uint8Array {
  if (!view.isStoredForm) return view.codec.encode(view.show(stored));
  const target = stored.jsonLength <= scratch.length ? scratch : Buffer.allocUnsafeSlow(stored.jsonLength);
  return target.subarray(0, stored.writeJson(target, 0));
}

function enveloped({ apiVersion, groupVersionKind }: KindCodec, message: Uint8Array): Uint8Array {
  return wrapEnvelope(apiVersion, groupVersionKind.kind, message);
}

/** A list as a message. Its metadata is a field before or after its items. */
interface MessageList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** The field number of an item, and the message of an item. */
  readonly number: number;
  readonly schema: StructSchema;
  /** The JSON of each item, valid until the next one is taken. */
  readonly elements: Iterable<Uint8Array>;
}

function objectList(codec: KindCodec, { kind, metadata }: ListHead, elements: Iterable<Uint8Array>): MessageList {
  const { apiVersion, schema } = codec;
  const before = metadataField(LIST_METADATA, metadata);
  return { apiVersion, kind, before, after: NOTHING, number: LIST_ITEMS, schema, elements };
}

function metadataField(number: number, metadata: JsonValue): Uint8Array {
  const schema = schemaOf(`${META}.ListMeta`);
  return messageField(number, encodeTyped(isObject(metadata) ? metadata : {}, schema), schema);
}

/** Remembers the length for all lists in the form in which the object is stored. */
function storedLength(view: Presentation, stored: StoredObject, { number, schema }: MessageList): number {
  if (!view.isStoredForm) return messageFieldLength(number, jsonOf(view, stored), schema);
  stored.messageLength ??= messageFieldLength(number, jsonOf(view, stored), schema);
  return stored.messageLength;
}

async function measuredList(list: MessageList): Promise<Body> {
  let length = 0;
  await inTurns(list.elements, (json) => {
    length += messageFieldLength(list.number, json, list.schema);
  });
  return bodyOfList(list, length);
}

/** The envelope states the length of the items first, so they are encoded again when they are sent. */
function bodyOfList(list: MessageList, itemsLength: number): Body {
  const { apiVersion, kind, number, schema, elements } = list;
  const around = aroundMessage(apiVersion, kind, list.before.length + itemsLength + list.after.length);
  function* parts(): Generator<Uint8Array> {
    yield around.before;
    yield list.before;
    for (const json of elements) yield messageField(number, json, schema);
    yield list.after;
    yield around.after;
  }
  const length = around.before.length + list.before.length + itemsLength + list.after.length + around.after.length;
  return bodyOf(parts, length);
}
