import type { GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { RequestContext } from '../http/index.js';

/** A resource that is answered and never stored: reviews, bindings, component statuses. */
export interface NonStoredEndpoint {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  readonly verbs: ReadonlySet<string>;
  /** Sent with every answer, when the version is on its way out. */
  readonly deprecationWarning: string | undefined;
  /** Answers any of the verbs, or throws. */
  handle(context: RequestContext): Promise<void>;
}
