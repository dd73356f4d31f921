import type { ServedSet } from '@binnacle/api/table';
import type { OpenApi } from '../openapi/index.js';

/** The OpenAPI room and its documents, loaded once, when the first request asks. */
export function lazyOpenApi(served: ServedSet): () => Promise<OpenApi> {
  let loaded: Promise<OpenApi> | undefined;
  return () => {
    loaded ??= import('../openapi/index.js').then(({ createOpenApi }) => createOpenApi(served));
    return loaded;
  };
}
