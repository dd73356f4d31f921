import { stringifyJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { Steps } from '@binnacle/apimachinery/work';
import type { KindCodec } from '../codec/index.js';
import { type Body, bodyOf, PIECE_BYTES, wholeBody } from '../http/index.js';
import type { StoredObject } from '../storage/index.js';
import type { ListHead, MetaDocument, MetaVersion, Presentation, StreamEncoding } from './encoding.js';
import { listBody } from './list-body.js';
import { aroundElements, checkReadable, elementsOf, jsonOf, listDocument, storedElements } from './long-document.js';

const NEWLINE = 0x0a;
export const END_OF_DOCUMENT = Buffer.of(NEWLINE);
const END_OF_FRAME = Buffer.from('}\n');

/** JSON with upstream's final newline. An object stored in the requested form is copied as bytes. */
export const jsonEncoding: StreamEncoding = {
  contentType: JSON_MEDIA_TYPE,
  streamContentType: JSON_MEDIA_TYPE,

  stored(view: Presentation, stored: StoredObject): Uint8Array {
    if (!view.isStoredForm) return jsonEncoding.object(view.codec, view.show(stored));
    const bytes = Buffer.allocUnsafe(stored.jsonLength + 1);
    bytes[stored.writeJson(bytes, 0)] = NEWLINE;
    return bytes;
  },

  object(codec: KindCodec, object: Readonly<KubernetesObject>): Uint8Array {
    return Buffer.concat([codec.encode(object), END_OF_DOCUMENT]);
  },

  *objectInSteps(codec: KindCodec, object: Readonly<KubernetesObject>): Steps<Body> {
    const json = yield* codec.encodeInSteps(object);
    return bodyOf(() => [json, END_OF_DOCUMENT], json.length + END_OF_DOCUMENT.length);
  },

  async storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body> {
    const document = listDocument(view.codec, head, items.length, storedElements(view, items));
    if (!view.isStoredForm) {
      await checkReadable(items);
      return jsonEncoding.longDocument(document);
    }
    const { before, after } = aroundElements(document);
    const body = await listBody(before, items, after);
    return body.length <= PIECE_BYTES ? wholeBody(body) : body;
  },

  list(codec: KindCodec, head: ListHead, objects: readonly Readonly<KubernetesObject>[]): Body | Promise<Body> {
    return jsonEncoding.longDocument(listDocument(codec, head, objects.length, elementsOf(codec, objects)));
  },

  document(document: MetaDocument): Uint8Array {
    return Buffer.from(`${stringifyJson(document)}\n`);
  },

  longDocument: (document) => bodyOf(() => jsonOf(document)),

  partialMetadata(_version: MetaVersion, json: Uint8Array): Uint8Array {
    return Buffer.concat([json, END_OF_DOCUMENT]);
  },

  frame(type: string, object: Uint8Array): Uint8Array {
    return Buffer.concat([Buffer.from(headOfFrame(type)), object.subarray(0, object.length - 1), END_OF_FRAME]);
  },

  storedFrame(type: string, view: Presentation, stored: StoredObject): Uint8Array {
    if (!view.isStoredForm) return jsonEncoding.frame(type, jsonEncoding.stored(view, stored));
    const head = headOfFrame(type);
    const frame = Buffer.allocUnsafe(head.length + stored.jsonLength + END_OF_FRAME.length);
    frame.write(head, 0, 'latin1');
    frame.set(END_OF_FRAME, stored.writeJson(frame, head.length));
    return frame;
  },
};

const headOfFrame = (type: string): string => `{"type":"${type}","object":`;
