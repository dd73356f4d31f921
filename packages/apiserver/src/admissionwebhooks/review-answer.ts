import { kindSchema } from '@binnacle/api/table';
import { messageOf } from '@binnacle/apimachinery/errors';
import {
  getOwn,
  isObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJsonInSteps,
} from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import { DecodeError, decodeTypedInSteps, typeMetaProblem } from '@binnacle/apimachinery/serializer';
import { quoteGo, type Status } from '@binnacle/apimachinery/status';
import { inSlices } from '../slices/index.js';
import { WebhookCallError } from '../webhooks/index.js';
import { REVIEW_GROUP, REVIEW_KIND, type ReviewVersion } from './review.js';

/** What a webhook has decided. */
export interface Verdict {
  readonly allowed: boolean;
  /** Why it refuses; only read without `allowed`. */
  readonly status: Partial<Status> | undefined;
  /** The bytes of a JSON patch; empty: none. */
  readonly patch: Buffer;
  /** Set with a patch. */
  readonly patchType: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: readonly (readonly [key: string, value: string])[];
}

/** Go's name of the place where upstream registers these kinds. */
const SCHEME = 'scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"';
export const JSON_PATCH = 'JSONPatch';
/** Upstream also reads YAML; longer text that is not JSON is refused. */
const YAML_BYTES = 64 * 1024;
/** More than an answer of upstream's webhooks has; walks over an object list its keys in one turn. */
const MAXIMUM_KEYS = 100_000;
/** More than an audit event takes. */
const MAXIMUM_ANNOTATIONS = 10_000;
const EXPECTED = `${REVIEW_GROUP}/v1, Kind=${REVIEW_KIND}`;

/**
 * Reads the answer to a review in upstream's words and order. Throws {@link WebhookCallError} if it answers no review of
 * that version. Upstream: client-go `Result.Into`.
 */
export async function readReview(body: Buffer, version: ReviewVersion): Promise<JsonObject> {
  try {
    const document = await parsed(body);
    if (!isObject(document)) throw new DecodeError(typeMetaProblem(document));
    checkType(document, version);
    const schema = kindSchema({ group: REVIEW_GROUP, version, kind: REVIEW_KIND });
    if (schema === undefined) throw new Error('the table has no AdmissionReview');
    const { object } = await inSlices(decodeTypedInSteps(document, schema));
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw new WebhookCallError(error.message);
    throw error;
  }
}

/** The decision in a review. Throws {@link WebhookCallError} if it does not answer this request. */
export function verdictOf(review: JsonObject, version: ReviewVersion, uid: string, mutating: boolean): Verdict {
  const response = getOwn(review, 'response');
  if (!isObject(response)) throw new WebhookCallError('webhook response was absent');
  const patch = Buffer.from(textAt(response, 'patch'), 'base64');
  if (version === 'v1') {
    const given = textAt(response, 'uid');
    if (given !== uid) throw new WebhookCallError(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(given)}`);
    const type = typeOf(review);
    if (type !== EXPECTED) throw new WebhookCallError(`expected webhook response of ${EXPECTED}, got ${type}`);
    checkPatch(patch, getOwn(response, 'patchType'), mutating);
  }
  const status = getOwn(response, 'status');
  return {
    allowed: getOwn(response, 'allowed') === true,
    status: isObject(status) ? status : undefined,
    patch: mutating ? patch : Buffer.alloc(0),
    // Reviews of v1beta1 need not name the only type that there is.
    patchType: version === 'v1' ? textAt(response, 'patchType') : JSON_PATCH,
    warnings: textsIn(getOwn(response, 'warnings')),
    auditAnnotations: textsAt(getOwn(response, 'auditAnnotations')),
  };
}

async function parsed(body: Buffer): Promise<JsonValue> {
  try {
    return (await inSlices(parseJsonInSteps(body, { maxKeys: MAXIMUM_KEYS }))).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (body[0] === 0x7b || body.length > YAML_BYTES) throw new DecodeError(jsonProblem(error));
    return parsedYaml(body);
  }
}

async function parsedYaml(body: Buffer): Promise<JsonValue> {
  const { parseYamlInSteps } = await import('@binnacle/apimachinery/yaml');
  try {
    return (await inSlices(parseYamlInSteps(body))).value;
  } catch (error) {
    throw new DecodeError(jsonProblem(error));
  }
}

function jsonProblem(error: unknown): string {
  return `couldn't get version/kind; json parse error: ${messageOf(error)}`;
}

/** Upstream decodes what the document says it is, or the expected kind if it says nothing. */
function checkType(document: JsonObject, version: ReviewVersion): void {
  const apiVersion = textAt(document, 'apiVersion') || `${REVIEW_GROUP}/${version}`;
  const kind = textAt(document, 'kind') || REVIEW_KIND;
  const given = parseGroupVersion(apiVersion);
  if (given === undefined) throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  if (kind === 'Status' && apiVersion === 'v1') checkStatus(document);
  else if (kind !== REVIEW_KIND || given.group !== REVIEW_GROUP || !isKnown(given.version)) {
    throw new DecodeError(`no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in ${SCHEME}`);
  } else if (given.version !== version) {
    throw new DecodeError(
      `converting (${given.version}.${REVIEW_KIND}) to (${version}.${REVIEW_KIND}): unknown conversion`,
    );
  }
}

/** A Status that reports a failure is an error, and any other counts as an answer without a response. */
function checkStatus(document: JsonObject): void {
  if (textAt(document, 'status') !== 'Success') throw new DecodeError(textAt(document, 'message') || 'unknown');
}

function isKnown(version: string): boolean {
  return version === 'v1' || version === 'v1beta1';
}

function typeOf(review: JsonObject): string {
  const { group, version } = parseGroupVersion(textAt(review, 'apiVersion')) ?? { group: '', version: '' };
  return `${group}/${version}, Kind=${textAt(review, 'kind')}`;
}

/** A mutating webhook sends a patch and its type, or neither; a validating one sends neither. */
function checkPatch(patch: Buffer, type: JsonValue | undefined, mutating: boolean): void {
  const hasType = type !== undefined && type !== null;
  if (!mutating) {
    if (patch.length > 0) throw new WebhookCallError('validating webhook may not return response.patch');
    if (hasType) throw new WebhookCallError('validating webhook may not return response.patchType');
    return;
  }
  if (patch.length > 0 && !hasType) {
    throw new WebhookCallError('webhook returned response.patch but not response.patchType');
  }
  if (patch.length === 0 && hasType) {
    throw new WebhookCallError('webhook returned response.patchType but not response.patch');
  }
  if (type === '') throw new WebhookCallError('webhook returned invalid response.patchType of ""');
}

function textAt(object: JsonObject, name: string): string {
  const value = getOwn(object, name);
  return typeof value === 'string' ? value : '';
}

function textsIn(list: JsonValue | undefined): string[] {
  return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : [];
}

function textsAt(map: JsonValue | undefined): [string, string][] {
  if (!isObject(map)) return [];
  return Object.keys(map)
    .slice(0, MAXIMUM_ANNOTATIONS)
    .flatMap((key): [string, string][] => {
      const value = getOwn(map, key);
      return typeof value === 'string' ? [[key, value]] : [];
    });
}
