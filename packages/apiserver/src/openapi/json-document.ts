import {
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  quoteJson,
  stringifyJson,
} from '@binnacle/apimachinery/json';
import type { Steps } from '@binnacle/apimachinery/work';
import { hashOf, type MadeDocument } from './document-cache.js';

/** The JSON of a document. */
export function* jsonDocument(document: JsonObject): Steps<MadeDocument> {
  const bytes = Buffer.concat(yield* jsonPieces(document, SPLIT_DEPTH));
  return { bytes, hash: hashOf(bytes) };
}

/** Objects down to this depth are written member by member: each path, each type. */
const SPLIT_DEPTH = 3;

function* jsonPieces(value: JsonValue, depth: number): Steps<Buffer[]> {
  if (depth === 0 || !isObject(value)) {
    yield;
    return [Buffer.from(stringifyJson(value))];
  }
  const pieces: Buffer[] = [];
  for (const key of Object.keys(value)) {
    const member = getOwn(value, key);
    if (member === undefined) continue;
    pieces.push(Buffer.from(`${pieces.length === 0 ? '{' : ','}${quoteJson(key)}:`));
    for (const piece of yield* jsonPieces(member, depth - 1)) pieces.push(piece);
  }
  return pieces.length === 0 ? [Buffer.from('{}')] : [...pieces, Buffer.from('}')];
}
