import type { Status } from '@binnacle/apimachinery/status';
import type { AuditAnnotation } from '../request/index.js';
import type { AuditLevel, AuditStage } from './policy.js';

/** The user of an event. */
export interface AuditUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The object that a request addresses. Empty texts are left out. */
export interface ObjectReference {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resourceVersion: string;
  readonly subresource: string;
}

/** The content of an event. Times are in milliseconds since the epoch. */
export interface EventFields {
  readonly level: AuditLevel;
  readonly auditId: string;
  readonly stage: AuditStage;
  readonly requestUri: string;
  readonly verb: string;
  readonly user: AuditUser;
  readonly impersonatedUser: AuditUser | undefined;
  /** The right by which the user impersonates, such as `impersonate:user-info`. */
  readonly impersonationConstraint: string | undefined;
  /** Those that proxies report, the nearest last, then the peer of the connection. */
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  /** JSON. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  readonly receivedAt: number;
  readonly stageAt: number;
  /** Those above the level of the event are not shown. */
  readonly annotations: ReadonlyMap<string, AuditAnnotation>;
}
