import type { ServedSet } from '@binnacle/api/table';
import type { CustomOpenApiSource, OpenApi } from '../openapi/index.js';

export interface LazyOpenApiOptions {
  readonly served: ServedSet;
  /** Custom resources, where there are any. */
  readonly custom: CustomOpenApiSource | undefined;
  /** The server's version as the documents name it. */
  readonly version: string;
  readonly now: () => number;
}

/** The OpenAPI room and its documents, loaded once, when the first request asks: most clients of a test never do. */
export function lazyOpenApi({ served, custom, version, now }: LazyOpenApiOptions): () => Promise<OpenApi> {
  let loaded: Promise<OpenApi> | undefined;
  return () => {
    loaded ??= import('../openapi/index.js').then(({ createOpenApi, servedOpenApiSource, withCustomResources }) => {
      const builtIn = servedOpenApiSource(served);
      const source = custom === undefined ? builtIn : withCustomResources(builtIn, custom);
      return createOpenApi({ source, version, now });
    });
    return loaded;
  };
}
