import { stringifyJson } from '@binnacle/apimachinery/json';
import type { KubernetesObject } from '@binnacle/apimachinery/meta';
import { JSON_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { KindCodec } from '../codec/index.js';
import { type Body, PIECE_BYTES, wholeBody } from '../http/index.js';
import type { StoredObject } from '../storage/index.js';
import type {
  ListHead,
  MetaDocument,
  MetaVersion,
  PartialMetadataListHead,
  Presentation,
  StreamEncoding,
} from './encoding.js';
import { joinedBody } from './joined-body.js';
import { listBody } from './list-body.js';

const NEWLINE = 0x0a;
const END_OF_DOCUMENT = Buffer.of(NEWLINE);
const END_OF_LIST = Buffer.from(']}\n');
const COMMA = Buffer.from(',');
const END_OF_FRAME = Buffer.from('}\n');

/** JSON, ended by a newline as upstream ends it. What is stored in the form that is asked for is a copy of its bytes. */
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

  async storedList(view: Presentation, head: ListHead, items: readonly StoredObject[]): Promise<Body> {
    if (!view.isStoredForm) {
      return jsonEncoding.list(
        view.codec,
        head,
        items.map((stored) => view.show(stored)),
      );
    }
    const { before, after } = aroundItems(view.codec, head);
    const body = await listBody(before, items, after);
    return body.length <= PIECE_BYTES ? wholeBody(body) : body;
  },

  list(codec: KindCodec, head: ListHead, items: readonly Readonly<KubernetesObject>[]): Uint8Array {
    const { before, after } = aroundItems(codec, head);
    const encoded = items.map((object) => codec.encode(object));
    const shown = codec.untyped === true ? encoded : encoded.map(withoutType);
    return Buffer.concat([before, ...separated(shown), after]);
  },

  document(document: MetaDocument): Uint8Array {
    return Buffer.from(`${stringifyJson(document)}\n`);
  },

  partialMetadata(_version: MetaVersion, json: Uint8Array): Uint8Array {
    return Buffer.concat([json, END_OF_DOCUMENT]);
  },

  partialMetadataList({ version, metadata }: PartialMetadataListHead, items: readonly Uint8Array[]): Body {
    const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${stringifyJson(metadata)},"items":[`;
    return joinedBody([Buffer.from(head), ...separated(items), END_OF_LIST]);
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

const separated = (items: readonly Uint8Array[]): Uint8Array[] =>
  items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));

const headOfFrame = (type: string): string => `{"type":"${type}","object":`;

/** Without a type, keys are sorted, and an empty continue token is a token. */
function aroundItems(codec: KindCodec, { kind, metadata }: ListHead): { before: Buffer; after: Buffer } {
  const apiVersion = JSON.stringify(codec.apiVersion);
  const listKind = JSON.stringify(kind);
  if (codec.untyped !== true) {
    const before = `{"kind":${listKind},"apiVersion":${apiVersion},"metadata":${JSON.stringify(metadata)},"items":[`;
    return { before: Buffer.from(before), after: END_OF_LIST };
  }
  const sorted = stringifyJson({ continue: '', ...metadata }, { sortKeys: true });
  return {
    before: Buffer.from(`{"apiVersion":${apiVersion},"items":[`),
    after: Buffer.from(`],"kind":${listKind},"metadata":${sorted}}\n`),
  };
}

function withoutType(encoded: Uint8Array): Buffer {
  const text = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
  return Buffer.concat([Buffer.from('{'), text.subarray(text.indexOf('"metadata":'))]);
}
