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
  readonly annotations: Readonly<Record<string, string>>;
}

/** One event, which never changes; but when its JSON is made, its fields lose the bodies. Upstream: audit.k8s.io/v1 `Event`. */
export class AuditEvent {
  #fields: EventFields;
  #json: string | undefined;

  constructor(fields: EventFields) {
    this.#fields = fields;
  }

  /** Without the bodies once {@link json} has been read, because many events with megabytes of them may wait. */
  get fields(): EventFields {
    return this.#fields;
  }

  /** Compact JSON with the fields in upstream's order. Made once. */
  get json(): string {
    if (this.#json === undefined) {
      this.#json = encode(this.#fields);
      this.#fields = { ...this.#fields, requestObject: undefined, responseObject: undefined };
    }
    return this.#json;
  }

  /** The same event without the bodies of request and response, and with an annotation that says so. */
  truncated(): AuditEvent {
    const annotations = { ...this.#fields.annotations, 'audit.k8s.io/truncated': 'true' };
    return new AuditEvent({ ...this.#fields, requestObject: undefined, responseObject: undefined, annotations });
  }
}

/** Texts are put together by hand: an audited server makes one for every request. */
function encode(event: EventFields): string {
  const { impersonatedUser, impersonationConstraint: constraint, sourceIps, userAgent, objectRef, annotations } = event;
  return [
    `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${event.level}","auditID":${quote(event.auditId)},`,
    `"stage":"${event.stage}","requestURI":${quote(event.requestUri)},"verb":${quote(event.verb)},`,
    `"user":${userText(event.user)},`,
    impersonatedUser === undefined ? '' : `"impersonatedUser":${userText(impersonatedUser)},`,
    constraint === undefined ? '' : `"authenticationMetadata":{"impersonationConstraint":${quote(constraint)}},`,
    sourceIps.length === 0 ? '' : `"sourceIPs":${JSON.stringify(sourceIps)},`,
    userAgent === '' ? '' : `"userAgent":${quote(userAgent)},`,
    objectRef === undefined ? '' : `"objectRef":${referenceText(objectRef)},`,
    event.responseStatus === undefined ? '' : `"responseStatus":${statusText(event.responseStatus)},`,
    event.requestObject === undefined ? '' : `"requestObject":${event.requestObject},`,
    event.responseObject === undefined ? '' : `"responseObject":${event.responseObject},`,
    `"requestReceivedTimestamp":"${formatMicroTime(event.receivedAt)}",`,
    `"stageTimestamp":"${formatMicroTime(event.stageAt)}"`,
    annotationsText(annotations),
    '}',
  ].join('');
}

const quote = (text: string): string => JSON.stringify(text);

function referenceText(reference: ObjectReference): string {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  const members = [
    member('resource', resource),
    member('namespace', namespace),
    member('name', name),
    member('uid', uid),
    member('apiGroup', apiGroup),
    member('apiVersion', apiVersion),
    member('resourceVersion', resourceVersion),
    member('subresource', subresource),
  ];
  return `{${members.join('').slice(1)}}`;
}

/** Begins with a comma. */
function member(key: string, text: string): string {
  return text === '' ? '' : `,"${key}":${quote(text)}`;
}

/** Most requests have one of a few users. */
const userTexts = new WeakMap<AuditUser, string>();

function userText(user: AuditUser): string {
  const known = userTexts.get(user);
  if (known !== undefined) return known;
  const { username, uid = '', groups = [], extra = {} } = user;
  const text = JSON.stringify({
    ...(username === '' ? {} : { username }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra: sorted(extra) }),
  });
  userTexts.set(user, text);
  return text;
}

function statusText({ status, message, reason, details, code }: Partial<Status>): string {
  return JSON.stringify({ metadata: {}, status, message, reason, details, code });
}

function annotationsText(annotations: EventFields['annotations']): string {
  const keys = Object.keys(annotations);
  if (keys.length === 0) return '';
  const members = keys.sort().map((key) => `${quote(key)}:${quote(annotations[key] ?? '')}`);
  return `,"annotations":{${members.join(',')}}`;
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T | undefined> {
  const keys = Object.keys(record).sort();
  return Object.fromEntries(keys.map((key) => [key, record[key]]));
}
