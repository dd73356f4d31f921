import type { JsonObject } from '@binnacle/apimachinery/json';
import type { GroupVersionResource } from '@binnacle/apimachinery/meta';

/** One object on the server. */
export interface ApplyTarget {
  readonly resource: GroupVersionResource;
  /** Undefined for resources without namespaces. */
  readonly namespace: string | undefined;
  readonly name: string;
}

export type ApplyPatchType = 'application/strategic-merge-patch+json' | 'application/merge-patch+json';

/** The query of a write. */
export interface WriteQuery {
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

/**
 * The requests that an apply makes, each answered with the object as the server has it then. Bodies are JSON texts and are sent
 * as they are. A refusal is thrown as a StatusError; whatever else is thrown ends the apply.
 */
export interface ApplyTransport {
  get(target: ApplyTarget): Promise<JsonObject>;
  create(target: ApplyTarget, body: string, query: WriteQuery): Promise<JsonObject>;
  patch(target: ApplyTarget, type: ApplyPatchType, body: string, query: WriteQuery): Promise<JsonObject>;
}
