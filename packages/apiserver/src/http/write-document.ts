import { indentJson, parseJson } from '@binnacle/apimachinery/json';
import { CBOR_MEDIA_TYPE, formatMediaType, type MediaType, YAML_MEDIA_TYPE } from '@binnacle/apimachinery/serializer';
import type { RequestContext, ResponseHeaders } from '../request/index.js';
import { wantsPretty, writeResponse } from './response.js';

/** Answers 200 with a JSON document that is not an API object, in the chosen media type. */
export async function writeDocument(
  context: RequestContext,
  mediaType: MediaType,
  json: Buffer,
  more: ResponseHeaders = {},
): Promise<void> {
  const headers = { 'content-type': formatMediaType(mediaType), ...more };
  if (mediaType.mediaType === CBOR_MEDIA_TYPE) {
    const { encodeCbor } = await import('@binnacle/apimachinery/cbor');
    await writeResponse(context, 200, headers, encodeCbor(parseJson(json).value));
    return;
  }
  if (mediaType.mediaType === YAML_MEDIA_TYPE) {
    const { stringifyYaml } = await import('@binnacle/apimachinery/yaml');
    await writeResponse(context, 200, headers, stringifyYaml(parseJson(json).value));
    return;
  }
  const pretty = mediaType.pretty || wantsPretty(context);
  await writeResponse(context, 200, headers, pretty ? indentJson(json.toString().trimEnd()) : json);
}
