import { Buffer } from 'node:buffer';
import { compareUtf8, type JsonWriter, quoteJson, sortedKeys } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import type { Status } from '@binnacle/apimachinery/status';
import { formatTime } from '@binnacle/apimachinery/time';
import type { AuditAnnotation } from '../request/index.js';
import type { AuditUser, EventFields, ObjectReference } from './event-fields.js';
import { KeptBytes } from './kept-bytes.js';
import { type AuditLevel, type AuditStage, isAtLeast } from './policy.js';

/**
 * Writes an event as compact JSON, like Go's. An audited server writes one for every request: the parts that many events share are
 * kept as bytes, because one copy of many bytes costs less than the pieces of a text.
 */
export function writeEvent(writer: JsonWriter, event: EventFields): void {
  const { requestObject, responseObject, objectRef, responseStatus } = event;
  const sender = senderOf(event);
  writer.bytes(HEADS[event.level]);
  writer.string(event.auditId);
  writer.bytes(STAGES[event.stage]);
  writer.string(event.requestUri);
  writeMember(writer, ',"verb":', event.verb);
  writer.bytes(sender.user);
  writeImpersonation(writer, event);
  writer.bytes(sender.origin);
  if (objectRef !== undefined) writeReference(writer, objectRef);
  if (responseStatus !== undefined) writeStatus(writer, responseStatus);
  if (requestObject !== undefined) writer.text(`,"requestObject":${requestObject}`);
  if (responseObject !== undefined) writer.text(`,"responseObject":${responseObject}`);
  writeTimes(writer, event);
  writeAnnotations(writer, event);
}

function writeMember(writer: JsonWriter, key: string, text: string): void {
  writer.ascii(key);
  writer.string(text);
}

/** The times of events up to their microseconds. */
const receivedSeconds = new KeptBytes<number>((second) => `,"requestReceivedTimestamp":"${toSecond(second)}.`);
const stageSeconds = new KeptBytes<number>((second) => `Z","stageTimestamp":"${toSecond(second)}.`);

function toSecond(second: number): string {
  return formatTime(second * 1000).slice(0, -1);
}

/** Both as `metav1.MicroTime`. */
function writeTimes(writer: JsonWriter, { receivedAt, stageAt }: EventFields): void {
  writeTime(writer, receivedAt, receivedSeconds);
  writeTime(writer, stageAt, stageSeconds);
}

function writeTime(writer: JsonWriter, milliseconds: number, seconds: KeptBytes<number>): void {
  const second = Math.floor(milliseconds / 1000);
  writer.bytes(seconds.of(second));
  writer.digits(Math.floor((milliseconds - second * 1000) * 1000), 6);
}

const headOf = (level: AuditLevel): Uint8Array =>
  Buffer.from(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"${level}","auditID":`);

const HEADS: Readonly<Record<AuditLevel, Uint8Array>> = {
  None: headOf('None'),
  Metadata: headOf('Metadata'),
  Request: headOf('Request'),
  RequestResponse: headOf('RequestResponse'),
};

const stageOf = (stage: AuditStage): Uint8Array => Buffer.from(`,"stage":"${stage}","requestURI":`);

const STAGES: Readonly<Record<AuditStage, Uint8Array>> = {
  RequestReceived: stageOf('RequestReceived'),
  ResponseStarted: stageOf('ResponseStarted'),
  ResponseComplete: stageOf('ResponseComplete'),
  Panic: stageOf('Panic'),
};

/** The JSON of who sent a request, and from where. */
interface Sender {
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  readonly user: Uint8Array;
  readonly origin: Uint8Array;
}

/** The last sender of each user: a client sends many requests, and most requests have one of a few users. */
const senders = new WeakMap<AuditUser, Sender>();

function senderOf({ user, sourceIps, userAgent }: EventFields): Sender {
  const known = senders.get(user);
  if (known !== undefined && known.sourceIps === sourceIps && known.userAgent === userAgent) return known;
  const made = {
    sourceIps,
    userAgent,
    user: known?.user ?? Buffer.from(`,"user":${userText(user)}`),
    origin: Buffer.from(originText(sourceIps, userAgent)),
  };
  senders.set(user, made);
  return made;
}

function originText(sourceIps: readonly string[], userAgent: string): string {
  const ips = sourceIps.length === 0 ? '' : `,"sourceIPs":${listText(sourceIps)}`;
  return userAgent === '' ? ips : `${ips},"userAgent":${quoteJson(userAgent)}`;
}

function userText({ username, uid = '', groups = [], extra = {} }: AuditUser): string {
  const members: string[] = [];
  if (username !== '') members.push(`"username":${quoteJson(username)}`);
  if (uid !== '') members.push(`"uid":${quoteJson(uid)}`);
  if (groups.length > 0) members.push(`"groups":${listText(groups)}`);
  const extras = sortedKeys(extra).map((key) => `${quoteJson(key)}:${listText(extra[key] ?? [])}`);
  if (extras.length > 0) members.push(`"extra":{${extras.join(',')}}`);
  return `{${members.join(',')}}`;
}

const listText = (texts: readonly string[]): string => `[${texts.map(quoteJson).join(',')}]`;

function writeImpersonation(
  writer: JsonWriter,
  { impersonatedUser, impersonationConstraint: constraint }: EventFields,
): void {
  if (impersonatedUser !== undefined) writer.text(`,"impersonatedUser":${userText(impersonatedUser)}`);
  if (constraint === undefined) return;
  writeMember(writer, ',"authenticationMetadata":{"impersonationConstraint":', constraint);
  writer.ascii('}');
}

const REFERENCE = Buffer.from(',"objectRef":{"resource":');

/** A resource is never empty. */
function writeReference(writer: JsonWriter, reference: ObjectReference): void {
  const { namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = reference;
  writer.bytes(REFERENCE);
  writer.string(reference.resource);
  if (namespace !== '') writeMember(writer, ',"namespace":', namespace);
  if (name !== '') writeMember(writer, ',"name":', name);
  if (uid !== '') writeMember(writer, ',"uid":', uid);
  if (apiGroup !== '') writeMember(writer, ',"apiGroup":', apiGroup);
  if (apiVersion !== '') writeMember(writer, ',"apiVersion":', apiVersion);
  if (resourceVersion !== '') writeMember(writer, ',"resourceVersion":', resourceVersion);
  if (subresource !== '') writeMember(writer, ',"subresource":', subresource);
  writer.ascii('}');
}

/** The statuses of answers that have only a code. */
const codes = new KeptBytes<number>((code) => `,"responseStatus":{"metadata":{},"code":${code}}`);

function writeStatus(writer: JsonWriter, { status, message, reason, details, code }: Partial<Status>): void {
  if (
    status === undefined &&
    message === undefined &&
    reason === undefined &&
    details === undefined &&
    code !== undefined
  ) {
    writer.bytes(codes.of(code));
    return;
  }
  writer.ascii(',"responseStatus":{"metadata":{}');
  if (status !== undefined) writeMember(writer, ',"status":', status);
  if (message !== undefined) writeMember(writer, ',"message":', message);
  if (reason !== undefined) writeMember(writer, ',"reason":', reason);
  if (details !== undefined) {
    writer.ascii(',"details":');
    writer.value(asJson(details), false);
  }
  writer.ascii(code === undefined ? '}' : `,"code":${code}}`);
}

const DECISION = 'authorization.k8s.io/decision';
const REASON = 'authorization.k8s.io/reason';

/** The annotations of requests that authorization allows for one reason. */
const allowances = new KeptBytes<string>(
  (reason) => `Z","annotations":{"${DECISION}":"allow","${REASON}":${quoteJson(reason)}}}`,
);

/** With the end of the event. Most events have the annotations of authorization, and no others. */
function writeAnnotations(writer: JsonWriter, { annotations, level }: EventFields): void {
  const reason = annotations.get(REASON);
  if (annotations.size === 2 && reason !== undefined && annotations.get(DECISION)?.value === 'allow') {
    writer.bytes(allowances.of(reason.value));
    return;
  }
  writer.ascii('Z"');
  let isFirst = true;
  for (const [key, annotation] of inOrder(annotations)) {
    if (!isAtLeast(level, annotation.level)) continue;
    writer.ascii(isFirst ? ',"annotations":{' : ',');
    isFirst = false;
    writer.string(key);
    writeMember(writer, ':', annotation.value);
  }
  writer.ascii(isFirst ? '}' : '}}');
}

function inOrder(annotations: EventFields['annotations']): readonly (readonly [string, AuditAnnotation])[] {
  return annotations.size < 2 ? [...annotations] : [...annotations].sort(([a], [b]) => compareUtf8(a, b));
}
