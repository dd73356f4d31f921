import { schemaOf } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  aroundMessage,
  encodeProtobuf,
  frameWatchEvent,
  MessageFields,
  transcodeJson,
  wrapEnvelope,
} from '@binnacle/apimachinery/protobuf';
import { encodeTyped, PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import type { KindCodec } from '../codec/index.js';
import { type Body, wholeBody } from '../http/index.js';
import { inTurns, type StoredObject } from '../storage/index.js';
import type {
  ListHead,
  MetaDocument,
  MetaVersion,
  PartialMetadataListHead,
  Presentation,
  StreamEncoding,
} from './encoding.js';
import { joinedBody } from './joined-body.js';

/** Of meta.k8s.io/v1beta1 as well: only its lists of metadata have numbers of their own. */
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
/** Of every list, in every group... */
const LIST_METADATA = 1;
const LIST_ITEMS = 2;
/** ...but these. */
const OLD_LIST_ITEMS = 1;
const OLD_LIST_METADATA = 2;

/** Upstream's binary form, as its clients take it: an envelope around the message of the object. */
export const protobufEncoding: StreamEncoding = {
  contentType: PROTOBUF_MEDIA_TYPE,
  streamContentType: `${PROTOBUF_MEDIA_TYPE};stream=watch`,

  stored: (view, stored) => enveloped(view.codec, transcodeJson(jsonOf(view, stored), view.codec.schema)),

  object: (codec, object) => enveloped(codec, encodeProtobuf(asJson(object), codec.schema)),

  async storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body> {
    const fields = new MessageFields();
    addMetadata(fields, LIST_METADATA, head.metadata);
    await inTurns(items, (stored) => fields.add(LIST_ITEMS, jsonOf(view, stored), view.codec.schema));
    return listOf(view.codec.apiVersion, head.kind, fields);
  },

  list(codec: KindCodec, head: ListHead, items: readonly Readonly<KubernetesObject>[]): Uint8Array {
    const fields = new MessageFields();
    addMetadata(fields, LIST_METADATA, head.metadata);
    for (const object of items) fields.add(LIST_ITEMS, codec.encode(object), codec.schema);
    return wholeBody(listOf(codec.apiVersion, head.kind, fields));
  },

  document(document: MetaDocument): Uint8Array {
    const { apiVersion, kind } = document;
    return wrapEnvelope(apiVersion, kind, encodeProtobuf(document, schemaOf(`${META}.${kind}`)));
  },

  partialMetadata(version: MetaVersion, json: Uint8Array): Uint8Array {
    return wrapEnvelope(`meta.k8s.io/${version}`, 'PartialObjectMetadata', transcodeJson(json, partialSchema()));
  },

  partialMetadataList({ version, metadata }: PartialMetadataListHead, items: readonly Uint8Array[]): Body {
    const isOld = version === 'v1beta1';
    const schema = partialSchema();
    const fields = new MessageFields();
    if (!isOld) addMetadata(fields, LIST_METADATA, metadata);
    for (const item of items) fields.add(isOld ? OLD_LIST_ITEMS : LIST_ITEMS, item, schema);
    if (isOld) addMetadata(fields, OLD_LIST_METADATA, metadata);
    return listOf(`meta.k8s.io/${version}`, 'PartialObjectMetadataList', fields);
  },

  frame: frameWatchEvent,

  storedFrame: (type, view, stored) => frameWatchEvent(type, protobufEncoding.stored(view, stored)),
};

const partialSchema = (): StructSchema => schemaOf(`${META}.PartialObjectMetadata`);

/** For the JSON of one object after the other: a buffer for each would be garbage. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** What a stored object is shown as, until this is called again. What is stored in that form need not be decoded. */
function jsonOf(view: Presentation, stored: StoredObject): Uint8Array {
  if (!view.isStoredForm) return view.codec.encode(view.show(stored));
  const target = stored.jsonLength <= scratch.length ? scratch : Buffer.allocUnsafeSlow(stored.jsonLength);
  return target.subarray(0, stored.writeJson(target, 0));
}

function enveloped({ apiVersion, groupVersionKind }: KindCodec, message: Uint8Array): Uint8Array {
  return wrapEnvelope(apiVersion, groupVersionKind.kind, message);
}

/** The metadata of a list. */
function addMetadata(fields: MessageFields, number: number, metadata: JsonObject): void {
  const schema = schemaOf(`${META}.ListMeta`);
  fields.add(number, encodeTyped(metadata, schema), schema);
}

/** All items stand in memory as they are sent: a message says first how long it is. */
function listOf(apiVersion: string, kind: string, fields: MessageFields): Body {
  const { before, after } = aroundMessage(apiVersion, kind, fields.length);
  return joinedBody([before, ...fields.pieces, after]);
}
