import type { GroupVersionKind, GroupVersionResource } from '@binnacle/apimachinery/meta';
import type { UserInfo } from '../kinds/generated/authentication/v1.js';
import type { TypedObject } from '../typed/index.js';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A request that an API server asks about. Upstream: `admission/v1` `AdmissionRequest`. */
export interface AdmissionRequest<T extends TypedObject = TypedObject> {
  readonly uid: string;
  /** The kind of `object` and `oldObject`. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  /** The kind, resource and subresource of the client's own request, before the server converted it for the webhook. */
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  /** May be absent when the server generates the name. */
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: AdmissionOperation;
  readonly userInfo: UserInfo;
  /** Null for DELETE. */
  readonly object?: T | null;
  /** Null for CREATE and CONNECT. */
  readonly oldObject?: T | null;
  /** Whether the change will not be stored. A handler must then have no side effects. */
  readonly dryRun?: boolean;
  /** The options of the request, such as `CreateOptions`. */
  readonly options?: { readonly [option: string]: unknown } | null;
}

/** The request, and what a handler can add to the response. */
export interface AdmissionContext<T extends TypedObject = TypedObject> {
  readonly request: AdmissionRequest<T>;
  /** Sends a warning to the client, whether or not the request is allowed. */
  readonly warn: (message: string) => void;
  /** Adds an annotation to the audit event. The server puts the name of the webhook before the key. */
  readonly audit: (key: string, value: string) => void;
  /** Fires when the API server no longer waits for the response. */
  readonly signal: AbortSignal;
}
