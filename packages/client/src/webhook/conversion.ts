import { getOwn, isObject, type JsonObject, type JsonValue } from '@binnacle/apimachinery/json';
import type { ObjectMeta } from '../typed/index.js';
import { isMistake } from './deny.js';
import { readReview, ReviewError, type WebhookAnswer, type WebhookCall } from './review.js';

const apiVersion = 'apiextensions.k8s.io/v1';
const kind = 'ConversionReview';

/** A custom resource in any of its versions. */
export interface VersionedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/**
 * Converts an object to another version. It may change labels, annotations and everything outside of `metadata`. The
 * kit sets `apiVersion` of the result. It denies the conversion by throwing.
 */
export type ConvertHandler = (object: VersionedObject, desiredAPIVersion: string) => object | Promise<object>;

/** Answers a ConversionReview. One object that cannot be converted fails the whole review. */
export async function answerConversion(convert: ConvertHandler, call: WebhookCall): Promise<WebhookAnswer> {
  let request: ConversionRequest;
  try {
    request = readRequest(call);
  } catch (error) {
    if (!(error instanceof ReviewError)) throw error;
    call.report(error);
    return { code: error.code, review: undefined };
  }
  return {
    code: 200,
    review: { kind, apiVersion, response: { uid: request.uid, ...(await respond(convert, request, call)) } },
  };
}

interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonValue[];
}

function readRequest(call: WebhookCall): ConversionRequest {
  const request = getOwn(readReview(call, apiVersion, kind), 'request');
  if (!isObject(request)) throw new ReviewError('conversion request is nil');
  const [uid, desiredAPIVersion, objects] = ['uid', 'desiredAPIVersion', 'objects'].map((key) => getOwn(request, key));
  if (typeof uid !== 'string' || typeof desiredAPIVersion !== 'string' || !Array.isArray(objects)) {
    throw new ReviewError('the conversion request lacks a field');
  }
  return { uid, desiredAPIVersion, objects };
}

async function respond(
  convert: ConvertHandler,
  { desiredAPIVersion, objects }: ConversionRequest,
  call: WebhookCall,
): Promise<JsonObject> {
  try {
    const convertedObjects: JsonValue[] = [];
    for (const object of objects) convertedObjects.push(await convertOne(convert, object, desiredAPIVersion));
    return { convertedObjects, result: { status: 'Success' } };
  } catch (error) {
    if (isMistake(error)) call.report(error);
    const known = error instanceof Error && !isMistake(error);
    const message = known ? error.message : 'internal error occurred during conversion';
    return { convertedObjects: [], result: { status: 'Failure', message } };
  }
}

async function convertOne(convert: ConvertHandler, object: JsonValue, desired: string): Promise<JsonValue> {
  if (!isVersioned(object)) throw new Error('an object has no apiVersion, kind or metadata');
  if (object.apiVersion === desired) return object;
  return { ...((await convert(object, desired)) as JsonObject), apiVersion: desired };
}

function isVersioned(object: JsonValue): object is JsonObject & VersionedObject {
  if (!isObject(object)) return false;
  const [version, type] = [getOwn(object, 'apiVersion'), getOwn(object, 'kind')];
  return typeof version === 'string' && typeof type === 'string' && isObject(getOwn(object, 'metadata'));
}
