import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionResource } from '@binnacle/apimachinery/meta';

/** One object on the server. */
export interface ApplyTarget {
  readonly resource: GroupVersionResource;
  /** Undefined for cluster-scoped resources. */
  readonly namespace: string | undefined;
  readonly name: string;
}

export type ApplyPatchType = 'application/strategic-merge-patch+json' | 'application/merge-patch+json';

/** The query parameters of a write. */
export interface WriteQuery {
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

/**
 * The requests of an apply. Each resolves to the object as the server stores it. Bodies are JSON text and must be sent unchanged. A refusal must be
 * thrown as a StatusError; any other error ends the apply.
 */
export interface ApplyTransport {
  get(target: ApplyTarget): Promise<JsonObject>;
  create(target: ApplyTarget, body: string, query: WriteQuery): Promise<JsonObject>;
  patch(target: ApplyTarget, type: ApplyPatchType, body: string, query: WriteQuery): Promise<JsonObject>;
}
