import { Buffer } from 'node:buffer';
import { getOwn, isObject, type JsonObject, type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { quoteGo } from '@binnacle/apimachinery/status';

export type ReviewVersion = 'v1' | 'v1beta1';

const GROUP = 'apiextensions.k8s.io';
const KIND = 'ConversionReview';

/** The first version of reviews that both sides support; undefined: none. */
export function reviewVersionOf(accepted: readonly string[]): ReviewVersion | undefined {
  return accepted.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

/** A request to convert objects, given as their JSON. */
export function conversionReview(
  version: ReviewVersion,
  uid: string,
  desiredAPIVersion: string,
  objects: readonly Uint8Array[],
): Buffer {
  const head = `{"kind":"${KIND}","apiVersion":"${GROUP}/${version}","request":{"uid":${JSON.stringify(uid)},`;
  const parts: Uint8Array[] = [
    Buffer.from(`${head}"desiredAPIVersion":${JSON.stringify(desiredAPIVersion)},"objects":[`),
  ];
  for (const [index, object] of objects.entries()) {
    if (index > 0) parts.push(Buffer.from(','));
    parts.push(object);
  }
  parts.push(Buffer.from(']}}'));
  return Buffer.concat(parts);
}

/**
 * The objects in a response. Throws an Error if the response does not answer this request, or reports a failure.
 * Upstream: `getConvertedObjectsFromResponse`, which checks v1beta1 no further.
 */
export function convertedObjects(body: Uint8Array, version: ReviewVersion, uid: string): readonly JsonValue[] {
  const { value } = parseJson(body);
  const review = isObject(value) ? value : {};
  if (version === 'v1') checkType(review);
  const response = getOwn(review, 'response');
  if (!isObject(response)) throw new Error('no response provided');
  if (version === 'v1') {
    const given = textAt(response, 'uid');
    if (given !== uid) throw new Error(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(given)}`);
  }
  const given = getOwn(response, 'result');
  const result = isObject(given) ? given : {};
  const status = textAt(result, 'status');
  if (status !== 'Success') {
    throw new Error(textAt(result, 'message') || `response.result.status was '${status}', not 'Success'`);
  }
  const objects = getOwn(response, 'convertedObjects') ?? [];
  if (!Array.isArray(objects)) throw new Error('response.convertedObjects is not a list');
  return objects;
}

function checkType(review: JsonObject): void {
  const apiVersion = textAt(review, 'apiVersion');
  const kind = textAt(review, 'kind');
  if (apiVersion === `${GROUP}/v1` && kind === KIND) return;
  throw new Error(
    `expected webhook response of ${GROUP}/v1, Kind=${KIND}, got ${apiVersion === '' ? '/' : apiVersion}, Kind=${kind}`,
  );
}

function textAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}
