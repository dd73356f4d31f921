import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { RequestContext } from '../request/index.js';

/** A resource that is served but not stored: reviews, bindings, component statuses. */
export interface NonStoredEndpoint {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  /** The warning on every answer of a deprecated version. */
  readonly deprecationWarning: string | undefined;
  /** Handles each of the verbs, or throws. */
  handle(context: RequestContext): Promise<void>;
}
