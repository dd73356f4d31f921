import type { ServedSet } from '@binnacle/api/table';
import type { Serializer } from '@binnacle/apimachinery/serializer';
import type { CustomOpenApiSource, OpenApi } from '../openapi/index.js';

export interface LazyOpenApiOptions {
  readonly served: ServedSet;
  /** In which built-in resources are read and answered. */
  readonly serializers: readonly Serializer[];
  /** Custom resources, where there can be any; asked once. */
  readonly custom: (() => Promise<CustomOpenApiSource>) | undefined;
  /** The server's version as the documents name it. */
  readonly version: string;
  readonly now: () => number;
}

/** The OpenAPI room and its documents, loaded once, when the first request asks: most clients of a test never do. */
export function lazyOpenApi(options: LazyOpenApiOptions): () => Promise<OpenApi> {
  let loaded: Promise<OpenApi> | undefined;
  return () => {
    loaded ??= load(options);
    return loaded;
  };
}

async function load({ served, serializers, custom, version, now }: LazyOpenApiOptions): Promise<OpenApi> {
  const { createOpenApi, servedOpenApiSource, withCustomResources } = await import('../openapi/index.js');
  const builtIn = servedOpenApiSource(served, serializers);
  const source = custom === undefined ? builtIn : withCustomResources(builtIn, await custom());
  return createOpenApi({ source, version, now });
}
