import {
  deepCopy,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { createJsonPatch } from '@binnacle/apimachinery/patch';
import type { Mutable, ResourceType, TypedObject } from '../typed/index.js';
import type { AdmissionContext, AdmissionRequest } from './admission-request.js';
import { failure, isMistake, statusOf } from './deny.js';
import { readReview, ReviewError, type WebhookAnswer, type WebhookCall } from './review.js';

const apiVersion = 'admission.k8s.io/v1';
const kind = 'AdmissionReview';
const operations: readonly unknown[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

/** Decides about a request. Returns the object that the server is to store instead. */
export type MutateHandler<T extends TypedObject> = (object: Mutable<T>, context: AdmissionContext<T>) => T | Promise<T>;

/** Decides about a request. It allows the request by returning, and denies it by throwing. */
export type ValidateHandler<T extends TypedObject> = (object: T, context: AdmissionContext<T>) => void | Promise<void>;

export interface AdmissionHandler<T extends TypedObject> {
  readonly for?: ResourceType<T> | undefined;
  readonly mutate?: MutateHandler<T> | undefined;
  readonly validate?: ValidateHandler<T> | undefined;
}

/** The status, patch, warnings and annotations of a response. */
type AdmissionResponse = JsonObject;

/** Answers an AdmissionReview. Like controller-runtime, it answers unreadable ones with a refusal in a review. */
export async function answerAdmission<T extends TypedObject>(
  handler: AdmissionHandler<T>,
  call: WebhookCall,
): Promise<WebhookAnswer> {
  let uid = '';
  try {
    const request = readRequest<T>(call);
    uid = request.uid;
    return answerWith(uid, await respond(handler, request, call));
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    call.report(error);
    return answerWith(uid, { allowed: false, status: asJson(failure(error.message, error.code)) });
  }
}

function answerWith(uid: string, response: AdmissionResponse): WebhookAnswer {
  return { code: 200, review: { kind, apiVersion, response: { uid, ...response } } };
}

function readRequest<T extends TypedObject>(call: WebhookCall): AdmissionRequest<T> {
  const request = getOwn(readReview(call, apiVersion, kind), 'request');
  if (!isObject(request) || typeof getOwn(request, 'uid') !== 'string' || !isObject(getOwn(request, 'kind'))) {
    throw new ReviewError('the review has no request');
  }
  const operation = getOwn(request, 'operation');
  if (!operations.includes(operation)) throw new ReviewError(`unknown operation ${JSON.stringify(operation)}`);
  // The server that sends it has the type's schema; a handler sees only objects of its own kind.
  return request as unknown as AdmissionRequest<T>;
}

async function respond<T extends TypedObject>(
  handler: AdmissionHandler<T>,
  request: AdmissionRequest<T>,
  call: WebhookCall,
): Promise<AdmissionResponse> {
  const warnings: string[] = [];
  const annotations = new Map<string, string>();
  const context: AdmissionContext<T> = {
    request,
    warn: (message) => void warnings.push(message),
    audit: (key, value) => void annotations.set(key, value),
    signal: call.signal,
  };
  const added = () => ({
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(annotations.size === 0 ? {} : { auditAnnotations: Object.fromEntries(annotations) }),
  });
  try {
    const patch = await decide(handler, context);
    return { allowed: true, ...patch, ...added() };
  } catch (error) {
    if (error instanceof ReviewError) throw error;
    if (isMistake(error)) call.report(error);
    return { allowed: false, status: asJson(statusOf(error)), ...added() };
  }
}

/** The patch of a response that allows the request. Throws to deny it. */
async function decide<T extends TypedObject>(
  { for: type, mutate, validate }: AdmissionHandler<T>,
  context: AdmissionContext<T>,
): Promise<AdmissionResponse> {
  const { operation, object, oldObject } = context.request;
  // A deleted object cannot be changed.
  if (validate === undefined && operation === 'DELETE') return {};
  const subject = object ?? oldObject;
  if (subject === null || subject === undefined) throw new ReviewError('there is no content to decode');
  requireKind(context.request, type);
  await validate?.(subject, context);
  if (mutate === undefined) return {};
  const before = asJson(subject);
  // The kind was checked above.
  const after = await mutate(deepCopy(before) as unknown as Mutable<T>, context);
  return patchOf(before, after);
}

function patchOf(before: JsonValue, after: unknown): AdmissionResponse {
  if (!isObject(after)) throw new TypeError('mutate must return the object');
  const changes = createJsonPatch(before, after);
  if (changes.length === 0) return {};
  const patch = stringifyJson(changes.map((change) => ({ ...change })));
  return { patchType: 'JSONPatch', patch: Buffer.from(patch).toString('base64') };
}

function requireKind({ kind }: AdmissionRequest, type: ResourceType | undefined): void {
  if (type === undefined) return;
  if (kind.group === type.group && kind.version === type.version && kind.kind === type.kind) return;
  throw new ReviewError(`unable to decode ${nameOf(kind)} into ${nameOf(type)}`);
}

function nameOf({ group, version, kind }: Pick<ResourceType, 'group' | 'version' | 'kind'>): string {
  return `${group === '' ? '' : `${group}/`}${version}, Kind=${kind}`;
}
