import { indentJson, parseJson } from '@binnacle/apimachinery/json';
import { YAML_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import { stringifyYaml } from '@binnacle/apimachinery/yaml';
import { wholeBody } from '../http/index.js';
import type { Encoding } from './encoding.js';
import { jsonEncoding } from './json-encoding.js';

/** JSON, written otherwise. */
function rewritten(contentType: string, rewrite: (json: Uint8Array) => string): Encoding {
  const write = (json: Uint8Array): Uint8Array => Buffer.from(rewrite(json));
  return {
    contentType,
    stored: (view, stored) => write(jsonEncoding.stored(view, stored)),
    object: (codec, object) => write(jsonEncoding.object(codec, object)),
    storedList: async (view, head, items) => write(wholeBody(await jsonEncoding.storedList(view, head, items))),
    list: (codec, head, items) => write(jsonEncoding.list(codec, head, items)),
    document: (document) => write(jsonEncoding.document(document)),
    partialMetadata: (version, json) => write(jsonEncoding.partialMetadata(version, json)),
    partialMetadataList: (head, items) => write(wholeBody(jsonEncoding.partialMetadataList(head, items))),
  };
}

/** For people. */
export const indentedEncoding = rewritten(jsonEncoding.contentType, (json) =>
  indentJson(Buffer.from(json).toString('utf8')),
);

export const yamlEncoding = rewritten(YAML_MEDIA_TYPE, (json) => stringifyYaml(parseJson(json).value));
