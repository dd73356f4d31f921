import type { ObjectMeta } from '@binnacle/apimachinery/meta';
import type { Status } from '@binnacle/apimachinery/status';
import type { UserInfo } from '../authentication/index.js';

/** What an audit event says about its request, if the level of the event is at least this one. */
export interface AuditAnnotation {
  readonly value: string;
  readonly level: 'Metadata' | 'Request';
}

/** Takes what the audit events of one request record, from the code that knows it. Later calls replace earlier ones. */
export interface AuditContext {
  /** Whether events record the body of the request. Otherwise it need not be encoded. */
  readonly recordsRequest: boolean;
  /** Whether events record the body of the answer. */
  readonly recordsResponse: boolean;
  /** Whether bodies are recorded without managed fields. */
  readonly omitsManagedFields: boolean;
  /** `constraint`: the right of constrained impersonation, such as `impersonate:user-info`. */
  impersonated(user: UserInfo, constraint: string | undefined): void;
  /** The metadata of the object in the body, for what the URL does not name. */
  requestMetadata(metadata: ObjectMeta): void;
  /** JSON without whitespace: an object or a patch. */
  requestObject(json: string): void;
  /** The Status in the answer. */
  responseStatus(status: Status): void;
  /**
   * Reserves memory for a part of the answer that {@link responseObject} will add, until the request has ended. False: there is
   * none left, and the body is left out.
   */
  admitsAnswer(bytes: number): boolean;
  /** JSON without whitespace; undefined if the body is too large to be recorded. */
  responseObject(json: string | undefined): void;
}
