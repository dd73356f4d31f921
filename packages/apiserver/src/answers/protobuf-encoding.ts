import { schemaOf } from '@binnacle/api/table';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson, type KubernetesObject } from '@binnacle/apimachinery/meta';
import {
  aroundMessage,
  encodeField,
  encodeProtobuf,
  frameWatchEvent,
  wrapEnvelope,
} from '@binnacle/apimachinery/protobuf';
import type { StructSchema } from '@binnacle/apimachinery/schema';
import { PROTOBUF_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { KindCodec } from '../codec/index.js';
import { type Body, wholeBody } from '../http/index.js';
import { inTurns, type StoredObject } from '../storage/index.js';
import type { ListHead, MetaDocument, Presentation, StreamEncoding } from './encoding.js';
import { joinedBody } from './joined-body.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta';
/** Of every list, in every group. */
const LIST_METADATA = 1;
const LIST_ITEMS = 2;

/** Upstream's binary form, as its clients take it: an envelope around the message of the object. */
export const protobufEncoding: StreamEncoding = {
  contentType: PROTOBUF_MEDIA_TYPE,
  streamContentType: `${PROTOBUF_MEDIA_TYPE};stream=watch`,

  stored: (view, stored) => protobufEncoding.object(view.codec, view.show(stored)),

  object: (codec, object) => enveloped(codec.apiVersion, codec.groupVersionKind.kind, asJson(object), codec.schema),

  async storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body> {
    const encoded: Uint8Array[] = [];
    await inTurns(items, (stored) => {
      encoded.push(encodeField(LIST_ITEMS, asJson(view.show(stored)), view.codec.schema));
    });
    return listOf(view.codec, head, encoded);
  },

  list(codec: KindCodec, head: ListHead, items: readonly Readonly<KubernetesObject>[]): Uint8Array {
    const encoded = items.map((object) => encodeField(LIST_ITEMS, asJson(object), codec.schema));
    return wholeBody(listOf(codec, head, encoded));
  },

  document(document: MetaDocument): Uint8Array {
    const { apiVersion, kind } = document;
    const version = apiVersion === 'meta.k8s.io/v1beta1' ? 'v1beta1' : 'v1';
    return enveloped(apiVersion, kind, document, schemaOf(`${META}.${version}.${kind}`));
  },

  frame: frameWatchEvent,

  storedFrame: (type, view, stored) => frameWatchEvent(type, protobufEncoding.stored(view, stored)),
};

function enveloped(apiVersion: string, kind: string, object: JsonObject, schema: StructSchema): Uint8Array {
  return wrapEnvelope(apiVersion, kind, encodeProtobuf(object, schema));
}

/** All items stand in memory as they are sent: a message says first how long it is. */
function listOf(codec: KindCodec, { kind, metadata }: ListHead, items: readonly Uint8Array[]): Body {
  const head = encodeField(LIST_METADATA, metadata, schemaOf(`${META}.v1.ListMeta`));
  const length = items.reduce((sum, item) => sum + item.length, head.length);
  const { before, after } = aroundMessage(codec.apiVersion, kind, length);
  return joinedBody([before, head, ...items, after]);
}
