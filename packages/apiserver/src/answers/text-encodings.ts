import { indentedJson, parseJson, parseJsonInSteps } from '@binnacle/apimachinery/json';
import { YAML_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { stringifyYaml, yamlAround, yamlPieces } from '@binnacle/apimachinery/yaml';
import { type Body, bodyOf } from '../http/index.js';
import type { Encoding, LongDocument } from './encoding.js';
import { END_OF_DOCUMENT, jsonEncoding } from './json-encoding.js';
import { checkReadable, elementsOf, jsonOf, listDocument, storedElements } from './long-document.js';

const NOTHING = new Uint8Array();

/** An encoding that rewrites JSON. */
function rewritten(
  contentType: string,
  rewrite: (json: Uint8Array) => Iterable<Uint8Array>,
  rewriteLong: (document: LongDocument) => Iterable<Uint8Array>,
): Encoding {
  const write = (json: Uint8Array): Body => bodyOf(() => rewrite(json));
  const writeLong = (document: LongDocument): Body => bodyOf(() => rewriteLong(document));
  return {
    contentType,
    stored: (view, stored) => write(jsonEncoding.stored(view, stored)),
    *objectInSteps(codec, object) {
      return write(Buffer.concat([yield* codec.encodeInSteps(object), END_OF_DOCUMENT]));
    },
    document: (document) => write(jsonEncoding.document(document)),
    partialMetadata: (version, json) => write(jsonEncoding.partialMetadata(version, json)),
    async storedList(view, head, items) {
      await checkReadable(items);
      return writeLong(listDocument(view.codec, head, items.length, storedElements(view, items)));
    },
    list: (codec, head, objects) => writeLong(listDocument(codec, head, objects.length, elementsOf(codec, objects))),
    longDocument: writeLong,
  };
}

/** Indented JSON, for people. */
export const indentedEncoding = rewritten(
  jsonEncoding.contentType,
  (json) => indentedJson([json]),
  (document) => indentedJson(jsonOf(document)),
);

export const yamlEncoding = rewritten(YAML_MEDIA_TYPE, yamlOf, longYamlOf);

/** Yields empty parts where a step ends without output. */
function* yamlOf(json: Uint8Array): Generator<Uint8Array> {
  const parsing = parseJsonInSteps(json);
  let step = parsing.next();
  for (; step.done !== true; step = parsing.next()) yield NOTHING;
  for (const text of yamlPieces(step.value.value)) yield Buffer.from(text);
}

function* longYamlOf({ fields, list, count, elements }: LongDocument): Generator<Uint8Array> {
  if (count === 0) {
    yield Buffer.from(stringifyYaml(fields));
    return;
  }
  const { before, after } = yamlAround(fields, list);
  yield Buffer.from(before);
  for (const json of elements) {
    for (const text of yamlPieces([parseJson(json).value])) yield Buffer.from(text);
  }
  yield Buffer.from(after);
}
