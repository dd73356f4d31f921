import { type JsonObject, stringifyJson } from '@binnacle/apimachinery/json';
import type { Status } from '@binnacle/apimachinery/status';
import { formatMicroTime } from '@binnacle/apimachinery/time';
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

/** What an event tells. Times are in milliseconds since the epoch. */
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
  /** The client's address is the last. */
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly objectRef: ObjectReference | undefined;
  readonly responseStatus: Partial<Status> | undefined;
  /** JSON. */
  readonly requestObject: string | undefined;
  readonly responseObject: string | undefined;
  readonly receivedAt: number;
  readonly stageAt: number;
  readonly annotations: Readonly<Record<string, string>>;
}

/** One event. It never changes. Upstream: audit.k8s.io/v1 `Event`. */
export class AuditEvent {
  readonly fields: EventFields;
  #json: string | undefined;

  constructor(fields: EventFields) {
    this.fields = fields;
  }

  /** Compact JSON with the fields in upstream's order. Made once. */
  get json(): string {
    this.#json ??= encode(this.fields);
    return this.#json;
  }

  /** The same event without the bodies of request and response, and with an annotation that says so. */
  truncated(): AuditEvent {
    const annotations = { ...this.fields.annotations, 'audit.k8s.io/truncated': 'true' };
    return new AuditEvent({ ...this.fields, requestObject: undefined, responseObject: undefined, annotations });
  }
}

function encode(event: EventFields): string {
  const { impersonatedUser, impersonationConstraint, objectRef, annotations } = event;
  const before: JsonObject = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: event.level,
    auditID: event.auditId,
    stage: event.stage,
    requestURI: event.requestUri,
    verb: event.verb,
    user: userDocument(event.user),
    ...(impersonatedUser === undefined ? {} : { impersonatedUser: userDocument(impersonatedUser) }),
    ...(impersonationConstraint === undefined ? {} : { authenticationMetadata: { impersonationConstraint } }),
    ...(event.sourceIps.length === 0 ? {} : { sourceIPs: [...event.sourceIps] }),
    ...(event.userAgent === '' ? {} : { userAgent: event.userAgent }),
    ...(objectRef === undefined ? {} : { objectRef: withoutEmpty(objectRef) }),
    ...(event.responseStatus === undefined ? {} : { responseStatus: statusDocument(event.responseStatus) }),
  };
  const after: JsonObject = {
    requestReceivedTimestamp: formatMicroTime(event.receivedAt),
    stageTimestamp: formatMicroTime(event.stageAt),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations: sorted(annotations) }),
  };
  const { requestObject, responseObject } = event;
  const bodies = [
    requestObject === undefined ? '' : `"requestObject":${requestObject},`,
    responseObject === undefined ? '' : `"responseObject":${responseObject},`,
  ].join('');
  return `${stringifyJson(before).slice(0, -1)},${bodies}${stringifyJson(after).slice(1)}`;
}

function userDocument({ username, uid = '', groups = [], extra = {} }: AuditUser): JsonObject {
  return {
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: sorted(extra) }),
  };
}

function statusDocument({ status, message, reason, details, code }: Partial<Status>): JsonObject {
  return {
    metadata: {},
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details: { ...details } as JsonObject }),
    ...(code === undefined ? {} : { code }),
  };
}

function withoutEmpty(reference: ObjectReference): JsonObject {
  return Object.fromEntries(Object.entries(reference).filter(([, text]) => text !== ''));
}

function sorted<T>(record: Readonly<Record<string, T>>): JsonObject {
  const keys = Object.keys(record).sort();
  return Object.fromEntries(keys.map((key) => [key, record[key]])) as JsonObject;
}
