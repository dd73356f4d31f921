import { encodeCbor, encodeCborItem, frameWatchEvent, listHead } from '@binnacle/apimachinery/cbor';
import { isObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { CBOR_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { KindCodec } from '../codec/index.js';
import { type Body, wholeBody } from '../http/index.js';
import { inTurns, type StoredObject } from '../storage/index.js';
import type { ListHead, PartialMetadataListHead, Presentation, StreamEncoding } from './encoding.js';
import { joinedBody } from './joined-body.js';
import { jsonEncoding } from './json-encoding.js';

/** The documents of JSON, zeros that it shows included, in binary form. */
export const cborEncoding: StreamEncoding = {
  contentType: CBOR_MEDIA_TYPE,
  streamContentType: 'application/cbor-seq',

  stored: (view, stored) => fromJson(jsonEncoding.stored(view, stored)),
  object: (codec, object) => fromJson(codec.encode(object)),
  document: encodeCbor,

  async storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body> {
    const encoded: Uint8Array[] = [];
    await inTurns(items, (stored) => {
      encoded.push(itemOf(view.codec, jsonEncoding.stored(view, stored)));
    });
    return listOf(view.codec, head, encoded);
  },

  list(codec: KindCodec, head: ListHead, items: readonly Readonly<KubernetesObject>[]): Uint8Array {
    const encoded = items.map((object) => itemOf(codec, codec.encode(object)));
    return wholeBody(listOf(codec, head, encoded));
  },

  partialMetadata: (_version, json) => fromJson(json),

  partialMetadataList({ version, metadata }: PartialMetadataListHead, items: readonly Uint8Array[]): Body {
    const head = { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata };
    const { before, after } = listHead(head, items.length);
    return joinedBody([before, ...items.map((json) => encodeCborItem(parseJson(json).value)), after]);
  },

  frame: frameWatchEvent,
  storedFrame: (type, view, stored) => frameWatchEvent(type, cborEncoding.stored(view, stored)),
};

function fromJson(json: Uint8Array): Uint8Array {
  return encodeCbor(parseJson(json).value);
}

/** As a list shows it: only without a type do items say what they are. */
function itemOf(codec: KindCodec, json: Uint8Array): Uint8Array {
  const { value } = parseJson(json);
  return encodeCborItem(codec.untyped === true ? value : withoutType(value));
}

function withoutType(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = value;
  return item;
}

function listOf(codec: KindCodec, { kind, metadata }: ListHead, items: readonly Uint8Array[]): Body {
  const { apiVersion } = codec;
  // Without a type, an empty continue token is a token.
  const shown = codec.untyped === true ? { continue: '', ...metadata } : metadata;
  const { before, after } = listHead({ kind, apiVersion, metadata: shown }, items.length);
  return joinedBody([before, ...items, after]);
}
