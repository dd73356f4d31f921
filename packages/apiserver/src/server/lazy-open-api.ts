import type { ServedSet } from '@binnacle/api/table';
import type { OpenApi } from '../openapi/index.js';

/** The OpenAPI room and its documents, loaded once, when the first request asks: most clients of a test never do. */
export function lazyOpenApi(served: ServedSet, version: string, now: () => number): () => Promise<OpenApi> {
  let loaded: Promise<OpenApi> | undefined;
  return () => {
    loaded ??= import('../openapi/index.js').then(({ createOpenApi, servedOpenApiSource }) =>
      createOpenApi({ source: servedOpenApiSource(served), version, now }),
    );
    return loaded;
  };
}
