import {
  encodeJsonInSteps,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJsonInSteps,
} from '@binnacle/apimachinery/json';
import type { Body } from '../http/index.js';
import type { AuditContext } from '../request/index.js';
import { inSlices, isTurnOver, nextTurn } from '../slices/index.js';
import type { Encoding } from './encoding.js';
import { jsonEncoding } from './json-encoding.js';

/** The largest answer that an audit event includes. An annotation replaces a longer one. Upstream has no limit. */
const LARGEST_BYTES = 10 * 1024 * 1024;

/** Adds an answer to the audit event as JSON, whatever media type the client gets. */
export async function auditAnswer(
  audit: AuditContext,
  encode: (encoding: Encoding) => Body | Promise<Body>,
): Promise<void> {
  const json = await textOf(await encode(jsonEncoding), audit);
  audit.responseObject(json === undefined || !audit.omitsManagedFields ? json : await withoutManagedFields(json));
}

/** Undefined if the body is too large, or no memory is left for it. */
async function textOf(body: Body, audit: AuditContext): Promise<string | undefined> {
  if (body instanceof Uint8Array) {
    const fits = body.length <= LARGEST_BYTES && audit.admitsAnswer(body.length);
    return fits ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString().trimEnd() : undefined;
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for (const piece of body.pieces()) {
    size += piece.length;
    if (size > LARGEST_BYTES || !audit.admitsAnswer(piece.length)) return undefined;
    pieces.push(Buffer.from(piece));
    if (isTurnOver()) await nextTurn();
  }
  return Buffer.concat(pieces, size).toString().trimEnd();
}

async function withoutManagedFields(json: string): Promise<string> {
  if (!json.includes('"managedFields"')) return json;
  const { value } = await inSlices(parseJsonInSteps(json));
  for (const object of objectsOf(value)) {
    if (isObject(object['metadata'])) delete object['metadata']['managedFields'];
  }
  return Buffer.from(await inSlices(encodeJsonInSteps(value))).toString();
}

/** An object itself, and those in a list or a table. */
function objectsOf(value: JsonValue): readonly JsonObject[] {
  if (!isObject(value)) return [];
  const { items, rows } = value;
  const listed = Array.isArray(items) ? items : [];
  const inRows = Array.isArray(rows) ? rows.map((row) => (isObject(row) ? row['object'] : undefined)) : [];
  return [value, ...listed, ...inRows].filter((each): each is JsonObject => isObject(each));
}
