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

/** Texts are put together by hand, and those of many events are kept: an audited server makes one for every request. */
function encode(event: EventFields): string {
  const { impersonatedUser, impersonationConstraint: constraint, sourceIps, userAgent, objectRef, annotations } = event;
  const { requestObject, responseObject, responseStatus } = event;
  let text = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${event.level}","auditID":${quote(event.auditId)},`;
  text += `"stage":"${event.stage}","requestURI":${quote(event.requestUri)},"verb":${quote(event.verb)},`;
  text += `"user":${userText(event.user)},`;
  if (impersonatedUser !== undefined) text += `"impersonatedUser":${userText(impersonatedUser)},`;
  if (constraint !== undefined) text += `"authenticationMetadata":{"impersonationConstraint":${quote(constraint)}},`;
  if (sourceIps.length > 0) text += `"sourceIPs":${listText(sourceIps)},`;
  if (userAgent !== '') text += `"userAgent":${quote(userAgent)},`;
  if (objectRef !== undefined) text += `"objectRef":${referenceText(objectRef)},`;
  if (responseStatus !== undefined) text += `"responseStatus":${statusText(responseStatus)},`;
  if (requestObject !== undefined) text += `"requestObject":${requestObject},`;
  if (responseObject !== undefined) text += `"responseObject":${responseObject},`;
  text += `"requestReceivedTimestamp":"${formatMicroTime(event.receivedAt)}",`;
  return `${text}"stageTimestamp":"${formatMicroTime(event.stageAt)}"${annotationsText(annotations)}}`;
}

/** What JSON escapes, control characters and surrogates among them. */
const escaped = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** Most texts need no escapes, and a look at them costs less than the engine's encoder. */
const quote = (text: string): string => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`);

function referenceText(reference: ObjectReference): string {
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  let text = member('resource', resource) + member('namespace', namespace) + member('name', name);
  text += member('uid', uid) + member('apiGroup', apiGroup) + member('apiVersion', apiVersion);
  text += member('resourceVersion', resourceVersion) + member('subresource', subresource);
  return `{${text.slice(1)}}`;
}

/** Begins with a comma. */
function member(key: string, text: string): string {
  return text === '' ? '' : `,"${key}":${quote(text)}`;
}

/** One list for each peer, so that its JSON is made once. */
const listTexts = new WeakMap<readonly string[], string>();

function listText(list: readonly string[]): string {
  let text = listTexts.get(list);
  if (text === undefined) {
    text = JSON.stringify(list);
    listTexts.set(list, text);
  }
  return text;
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
  if (status === undefined && message === undefined && reason === undefined && details === undefined) {
    return `{"metadata":{}${code === undefined ? '' : `,"code":${code}`}}`;
  }
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
