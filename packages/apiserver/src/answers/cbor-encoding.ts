import {
  encodeCbor,
  encodeCborInSteps,
  encodeCborItem,
  frameWatchEvent,
  aroundList,
} from '@binnacle/apimachinery/cbor';
import { parseJson, parseJsonInSteps } from '@binnacle/apimachinery/json';
import { CBOR_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { bodyOf } from '../http/index.js';
import type { LongDocument, StreamEncoding } from './encoding.js';
import { jsonEncoding } from './json-encoding.js';
import { checkReadable, elementsOf, listDocument, storedElements } from './long-document.js';

/** The JSON documents in binary form, including the zero values that JSON shows. */
export const cborEncoding: StreamEncoding = {
  contentType: CBOR_MEDIA_TYPE,
  streamContentType: 'application/cbor-seq',

  stored: (view, stored) => fromJson(jsonEncoding.stored(view, stored)),
  *storedInSteps(view, stored) {
    const { value } = yield* parseJsonInSteps(jsonEncoding.stored(view, stored));
    return yield* encodeCborInSteps(value);
  },
  object: (codec, object) => fromJson(codec.encode(object)),
  *objectInSteps(codec, object) {
    const { value } = yield* parseJsonInSteps(yield* codec.encodeInSteps(object));
    return yield* encodeCborInSteps(value);
  },
  document: encodeCbor,
  partialMetadata: (_version, json) => fromJson(json),

  async storedList(view, head, items) {
    await checkReadable(items);
    return cborEncoding.longDocument(listDocument(view.codec, head, items.length, storedElements(view, items)));
  },
  list: (codec, head, objects) =>
    cborEncoding.longDocument(listDocument(codec, head, objects.length, elementsOf(codec, objects))),
  longDocument: (document) => bodyOf(() => partsOf(document)),

  frame: frameWatchEvent,
  storedFrame: (type, view, stored) => frameWatchEvent(type, cborEncoding.stored(view, stored)),
};

function fromJson(json: Uint8Array): Uint8Array {
  return encodeCbor(parseJson(json).value);
}

function* partsOf({ fields, list, count, elements }: LongDocument): Generator<Uint8Array> {
  const { before, after } = aroundList(fields, list, count);
  yield before;
  for (const json of elements) yield encodeCborItem(parseJson(json).value);
  yield after;
}
