import { messageOf } from '@binnacle/apimachinery/errors';
import { type JsonDetails, JsonSyntaxError, type JsonValue, parseJsonInSteps } from '@binnacle/apimachinery/json';
import { parseGroupVersion } from '@binnacle/apimachinery/meta';
import {
  CBOR_MEDIA_TYPE,
  DecodeError,
  listedMediaTypes,
  negotiateInput,
  PROTOBUF_MEDIA_TYPE,
} from '@binnacle/apimachinery/serializer';
import { badRequest, type StatusError, unsupportedMediaType } from '@binnacle/apimachinery/status';
import type { RequestContext } from '../../request/index.js';
import { inSlices } from '../../slices/index.js';
import { readBody } from './read-body.js';

const SUMMARY_LENGTH = 30;

export interface Document {
  readonly value: JsonValue;
  readonly details: JsonDetails | undefined;
  /** The reader's own findings; decoding adds its own. */
  readonly strictErrors: readonly string[];
  readonly bytes: Buffer;
  /** A protobuf body: the object's message. `value` then holds only its kind and version. */
  readonly message?: Uint8Array;
}

/** Reads the body by its content type: JSON, YAML, protobuf, or CBOR if enabled. */
export async function readDocument(context: RequestContext, kind: string): Promise<Document> {
  inputType(context);
  return decodeDocument(context, await readBody(context), kind);
}

/** Decodes bytes by the request's content type. `kind` is for errors. */
export async function decodeDocument(context: RequestContext, bytes: Buffer, kind: string): Promise<Document> {
  switch (inputType(context)) {
    case PROTOBUF_MEDIA_TYPE:
      return decodeEnvelope(bytes, kind);
    case CBOR_MEDIA_TYPE:
      return decodeCborDocument(bytes, kind);
    case 'application/json':
      return decodeJsonDocument(bytes, kind);
    default:
      return decodeYamlDocument(bytes, kind);
  }
}

async function decodeJsonDocument(bytes: Buffer, kind: string): Promise<Document> {
  try {
    return { ...(await inSlices(parseJsonInSteps(bytes, { keepRangeError: true }))), strictErrors: [], bytes };
  } catch (error) {
    throw unrecognized(kind, jsonProblem(error), bytes);
  }
}

async function decodeYamlDocument(bytes: Buffer, kind: string): Promise<Document> {
  const { parseYamlInSteps } = await import('@binnacle/apimachinery/yaml');
  try {
    const { value, strictErrors } = await inSlices(parseYamlInSteps(bytes));
    return { value, details: undefined, strictErrors, bytes };
  } catch (error) {
    throw unrecognized(kind, messageOf(error), bytes);
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

export function unrecognized(kind: string, reason: string, body: Buffer): StatusError {
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
