import type { ServedSet } from '@binnacle/api/table';
import type { Serializer } from '@binnacle/apimachinery/serializer';
import type { CustomOpenApiSource, OpenApi, RemoteOpenApi } from '../../openapi/index.js';

export interface LazyOpenApiOptions {
  readonly served: ServedSet;
  /** The media types of built-in resources. */
  readonly serializers: readonly Serializer[];
  /** Loads the source of custom resources, once; undefined if they are not served. */
  readonly custom: (() => Promise<CustomOpenApiSource>) | undefined;
  /** Loads the documents of extension API servers; undefined if there can be none. */
  readonly remote: (() => Promise<RemoteOpenApi>) | undefined;
  /** The server's version in the documents. */
  readonly version: string;
  readonly now: () => number;
}

/** The OpenAPI room, loaded by the first request that needs it. Most test servers never load it. */
export function lazyOpenApi(options: LazyOpenApiOptions): () => Promise<OpenApi> {
  let loaded: Promise<OpenApi> | undefined;
  return () => {
    loaded ??= load(options);
    return loaded;
  };
}

async function load({ served, serializers, custom, remote, version, now }: LazyOpenApiOptions): Promise<OpenApi> {
  const { createOpenApi, servedOpenApiSource, withCustomResources } = await import('../../openapi/index.js');
  const builtIn = servedOpenApiSource(served, serializers);
  const source = custom === undefined ? builtIn : withCustomResources(builtIn, await custom());
  return createOpenApi({ source, remote: await remote?.(), version, now });
}
