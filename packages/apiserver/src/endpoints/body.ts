import {
  getOwn,
  isObject,
  type JsonDetails,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJsonInSteps,
} from '@binnacle/apimachinery/json';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  parseGroupVersion,
} from '@binnacle/apimachinery/meta';
import {
  CBOR_MEDIA_TYPE,
  DecodeError,
  goKindOf,
  listedMediaTypes,
  negotiateInput,
  PROTOBUF_MEDIA_TYPE,
  typeMetaProblem,
} from '@binnacle/apimachinery/serializer';
import { badRequest, type StatusError, unsupportedMediaType } from '@binnacle/apimachinery/status';
import type { WorkBudget } from '@binnacle/apimachinery/work';
import type { Decoded, KindCodec } from '../codec/index.js';
import type { FieldValidation, RequestContext } from '../request/index.js';
import { inSlices, pause } from '../slices/index.js';
import { warnOf } from './strict-warnings.js';
import { cannotHandle, type KindLookup, otherVersion, wrongKind } from './wrong-kind.js';

/** Upstream: apiserver `MaxRequestBodyBytes`. */
export const MAXIMUM_BODY_BYTES = 3 * 1024 * 1024;

const SUMMARY_LENGTH = 30;
const API_VERSION = 'apiVersion';
const KIND = 'kind';
const NOT_PROTOBUF =
  'object *unstructured.Unstructured does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message';

export interface Document {
  readonly value: JsonValue;
  readonly details: JsonDetails | undefined;
  /** The reader's own findings; decoding adds its own. */
  readonly strictErrors: readonly string[];
  readonly bytes: Buffer;
  /** A protobuf body: the object's message. `value` then holds only its kind and version. */
  readonly message?: Uint8Array;
}

/**
 * Reads the body as an object of the codec's kind, defaulted, in the codec's version. Refuses unknown and duplicate
 * fields, warns of them, or drops them, as the request asks. Throws 400, 413 or 415 in upstream's words.
 */
export async function readObject(
  context: RequestContext,
  codec: KindCodec,
  validation: FieldValidation,
  kindExists: KindLookup,
): Promise<KubernetesObject> {
  const document = await readDocument(context, codec.groupVersionKind.kind);
  await pause();
  const object = await decodeObject(context, document, codec, validation, kindExists);
  await pause();
  return object;
}

/** Reads the body by its content type: JSON, YAML, protobuf, or CBOR if enabled. */
export async function readDocument(context: RequestContext, kind: string): Promise<Document> {
  inputType(context);
  return decodeDocument(context, await context.exchange.readBody(MAXIMUM_BODY_BYTES), kind);
}

/** Decodes bytes by the request's content type. `kind` is for errors. */
export async function decodeDocument(context: RequestContext, bytes: Buffer, kind: string): Promise<Document> {
  const mediaType = inputType(context);
  if (mediaType === PROTOBUF_MEDIA_TYPE) return decodeEnvelope(bytes, kind);
  if (mediaType === CBOR_MEDIA_TYPE) return decodeCborDocument(bytes, kind);
  try {
    if (mediaType === 'application/json') {
      const parsed = await inSlices(parseJsonInSteps(bytes, { keepRangeError: true }));
      return { ...parsed, strictErrors: [], bytes };
    }
    const { parseYamlInSteps } = await import('@binnacle/apimachinery/yaml');
    const { value, strictErrors } = await inSlices(parseYamlInSteps(bytes));
    return { value, details: undefined, strictErrors, bytes };
  } catch (error) {
    const reason = mediaType === 'application/json' ? jsonProblem(error) : messageOf(error);
    throw unrecognized(kind, reason, bytes);
  }
}

async function decodeEnvelope(bytes: Buffer, kind: string): Promise<Document> {
  const { readEnvelope } = await import('@binnacle/apimachinery/protobuf');
  try {
    const { apiVersion, kind: given, raw } = readEnvelope(bytes);
    // Upstream treats an unparsable version as absent.
    const value = { apiVersion: parseGroupVersion(apiVersion) === undefined ? '' : apiVersion, kind: given };
    return { value, details: undefined, strictErrors: [], bytes, message: raw };
  } catch (error) {
    if (error instanceof DecodeError) throw unrecognized(kind, error.message, bytes);
    throw error;
  }
}

async function decodeCborDocument(bytes: Buffer, kind: string): Promise<Document> {
  const { CborError, decodeCborInSteps } = await import('@binnacle/apimachinery/cbor');
  try {
    return { ...(await inSlices(decodeCborInSteps(bytes))), strictErrors: [], bytes };
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw unrecognized(kind, `unable to determine group/version/kind: ${error.message}`, bytes);
  }
}

/** The body's media type; throws 415 for an unsupported one. */
function inputType(context: RequestContext): string {
  const accepted = listedMediaTypes(context.serializers);
  const mediaType = negotiateInput(context.exchange.headers['content-type'], accepted);
  if (mediaType === undefined) throw unsupportedMediaType(accepted);
  return mediaType;
}

export async function decodeObject(
  context: RequestContext,
  document: Document,
  codec: KindCodec,
  validation: FieldValidation,
  kindExists: KindLookup,
): Promise<KubernetesObject> {
  const expected = codec.groupVersionKind;
  let given = interpret(document, expected);
  if (codec.untyped === true) given = checkUntyped(document, codec);
  else if (given.kind !== expected.kind || formatGroupVersion(given) !== codec.apiVersion) {
    throw wrongKind(given, expected, kindExists);
  }
  await pause();
  if (document.message !== undefined) return decodeMessage(document.message, given, codec, context.budget);
  const decoded = await decoding(given, expected, () => decodeInTurns(codec, document.value, document.details));
  const { object } = decoded;
  const strictErrors = [...document.strictErrors, ...decoded.strictErrors];
  if (validation === 'Strict' && strictErrors.length > 0) {
    throw cannotHandle(given, expected, `strict decoding error: ${strictErrors.join(', ')}`);
  }
  if (validation === 'Warn') warnOf(context, strictErrors);
  await pause();
  await applyDefaultsInTurns(codec, object, context.budget);
  return object;
}

/** Like the codec's `decode`, but in slices if the codec supports them. */
export function decodeInTurns(codec: KindCodec, value: JsonValue, details?: JsonDetails): Decoded | Promise<Decoded> {
  return codec.decodeInSteps === undefined
    ? codec.decode(value, details)
    : inSlices(codec.decodeInSteps(value, details));
}

/** Like the codec's `applyDefaults`, but in slices if the codec supports them. */
export function applyDefaultsInTurns(
  codec: KindCodec,
  object: KubernetesObject,
  budget: WorkBudget,
): void | Promise<void> {
  return codec.applyDefaultsInSteps === undefined
    ? codec.applyDefaults(object, budget)
    : inSlices(codec.applyDefaultsInSteps(object, budget));
}

/** Checks that an untyped object has `kind` and `apiVersion`, spelled exactly, before their values are checked. */
function checkUntyped({ value, bytes }: Document, codec: KindCodec): GroupVersionKind {
  const { kind = '', apiVersion = '' } = isObject(value) ? value : {};
  if (kind === '' || kind === null) {
    const problem = `Object 'Kind' is missing in '${bytes.toString('utf8')}'`;
    throw unrecognized(codec.groupVersionKind.kind, problem, bytes);
  }
  if (apiVersion === codec.apiVersion)
    return { ...codec.groupVersionKind, kind: typeof kind === 'string' ? kind : codec.groupVersionKind.kind };
  const given = typeof apiVersion === 'string' ? apiVersion : '';
  throw otherVersion(given === '' ? '/' : given, codec.apiVersion);
}

/** Protobuf drops unknown fields whatever the request says: they have no names. */
async function decodeMessage(
  message: Uint8Array,
  given: GroupVersionKind,
  codec: KindCodec,
  budget: WorkBudget,
): Promise<KubernetesObject> {
  const expected = codec.groupVersionKind;
  if (codec.decodeProtobuf === undefined) throw cannotHandle(given, expected, NOT_PROTOBUF);
  try {
    const object = await inSlices(await codec.decodeProtobuf(message));
    await pause();
    await applyDefaultsInTurns(codec, object, budget);
    return object;
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(given, expected, error.message);
    throw error;
  }
}

/** The document's own kind and version; the expected ones fill what it omits. Throws 400 for unreadable ones. */
export function interpret(document: Document, expected: GroupVersionKind): GroupVersionKind {
  const { value } = document;
  if (!isObject(value)) {
    if (value !== null) throw unrecognized(expected.kind, typeMetaProblem(value), document.bytes);
    return expected;
  }
  const names = Object.keys(value).filter(({ length }) => length === API_VERSION.length || length === KIND.length);
  const apiVersion = typeText(value, API_VERSION, names, document, expected);
  const kind = typeText(value, KIND, names, document, expected) || expected.kind;
  if (apiVersion === '') return { group: expected.group, version: expected.version, kind };
  const groupVersion = parseGroupVersion(apiVersion);
  if (groupVersion === undefined) {
    throw unrecognized(expected.kind, `unexpected GroupVersion string: ${apiVersion}`, document.bytes);
  }
  return { ...groupVersion, kind };
}

/** The last value of a key that matches `field` in any case: Go matches the type's keys case-insensitively. */
function typeText(
  value: JsonObject,
  field: typeof API_VERSION | typeof KIND,
  names: readonly string[],
  document: Document,
  expected: GroupVersionKind,
): string {
  let text = '';
  for (const key of names) {
    if (key.length !== field.length || foldName(key) !== foldName(field)) continue;
    for (const holder of [...(document.details?.duplicateKeys.get(value)?.get(key) ?? []), value]) {
      const held = getOwn(holder, key) ?? null;
      if (typeof held === 'string') text = held;
      else if (held !== null) {
        const reason = `json: cannot unmarshal ${goKindOf(held)} into Go struct field .${field} of type string`;
        throw unrecognized(expected.kind, `couldn't get version/kind; json parse error: ${reason}`, document.bytes);
      }
    }
  }
  return text;
}

/** Folds names as Go does: the long s is an s, and the Kelvin sign a k. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll('\u017f', 's');
}

async function decoding<T>(
  given: GroupVersionKind,
  expected: GroupVersionKind,
  decode: () => T | Promise<T>,
): Promise<T> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(given, expected, error.message);
    throw error;
  }
}

function unrecognized(kind: string, reason: string, body: Buffer): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${reason} (${summarize(body)})`);
}

function summarize(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const text = body.subarray(0, SUMMARY_LENGTH).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > SUMMARY_LENGTH ? `${text} ...` : text;
}

function jsonProblem(error: unknown): string {
  const reason = error instanceof JsonSyntaxError ? `json parse error: ${error.message}` : messageOf(error);
  return `couldn't get version/kind; ${reason}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
