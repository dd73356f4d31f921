import { createHash } from 'node:crypto';
import { indentJson, type JsonObject, parseJson, stringifyJson } from '@binnacle/apimachinery/json';
import type { GroupVersionKind } from '@binnacle/apimachinery/meta';
import {
  formatMediaType,
  listedMediaTypes,
  negotiate,
  type Serializer,
  SERIALIZERS,
} from '@binnacle/apimachinery/serializer';
import { notAcceptable } from '@binnacle/apimachinery/status';
import { type RequestContext, type ResponseHeaders, wantsPretty, writeResponse } from '../http/index.js';

/** The bytes of one document, shared by all who ask for it. */
export class DiscoveryDocument {
  readonly json: Buffer;
  #etag: string | undefined;

  constructor(json: string) {
    this.json = Buffer.from(json);
  }

  /** Quoted, as the header carries it. */
  get etag(): string {
    this.#etag ??= `"${createHash('sha512').update(this.json).digest('hex').toUpperCase()}"`;
    return this.#etag;
  }
}

/** Discovery has no protobuf form here; clients that ask for it take JSON as well. */
const serializers: readonly Serializer[] = [
  { mediaType: 'application/json', streams: true },
  { mediaType: 'application/yaml', streams: true },
];

/** The one aggregated form: upstream locked v2beta1 off in 1.35, and those who know no other take the plain documents. */
function isAggregated({ group, version, kind }: GroupVersionKind): boolean {
  return group === 'apidiscovery.k8s.io' && version === 'v2' && kind === 'APIGroupDiscoveryList';
}

/**
 * Answers with the plain document, or the aggregated one where there is one and the client prefers it; the latter with an
 * ETag, and 304 to a client that has it. Throws 406 when no form fits.
 * Upstream: apiserver `pkg/endpoints/discovery/aggregated`.
 */
export async function respondDiscovery(
  context: RequestContext,
  plain: () => DiscoveryDocument,
  aggregated?: () => DiscoveryDocument,
): Promise<void> {
  const mediaType = negotiate(context.exchange.headers.accept, {
    serializers,
    allowsTransform: (_, convert) => convert === undefined || (aggregated !== undefined && isAggregated(convert)),
  });
  if (mediaType === undefined) throw notAcceptable(listedMediaTypes(SERIALIZERS));
  const headers: Record<string, string> = { 'content-type': formatMediaType(mediaType) };
  let document = plain;
  if (mediaType.convert !== undefined && aggregated !== undefined) {
    document = aggregated;
    const { etag } = document();
    Object.assign(headers, { etag, vary: 'Accept', 'cache-control': 'public' });
    if (context.exchange.headers['if-none-match'] === etag) {
      await writeResponse(context, 304, without(headers, 'content-type'), '');
      return;
    }
  }
  const { json } = document();
  if (mediaType.mediaType === 'application/yaml') {
    const { stringifyYaml } = await import('@binnacle/apimachinery/yaml');
    await writeResponse(context, 200, headers, stringifyYaml(parseJson(json).value));
    return;
  }
  const pretty = mediaType.pretty || wantsPretty(context);
  await writeResponse(context, 200, headers, pretty ? indentJson(json.toString().trimEnd()) : json);
}

/** Documents outside the API's types are JSON, always indented. */
export function respondRaw(context: RequestContext, document: JsonObject): void | Promise<void> {
  return writeResponse(context, 200, { 'content-type': 'application/json' }, indentJson(stringifyJson(document)));
}

function without(headers: ResponseHeaders, name: string): ResponseHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
}
