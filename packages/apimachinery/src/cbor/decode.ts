import type { JsonDetails, JsonValue } from '../json/index.js';
import { finish, type Steps } from '../work/index.js';
import { ValueReader } from './value-reader.js';
import { checkWellFormed } from './well-formed.js';

export interface DecodedCbor {
  readonly value: JsonValue;
  /** As for JSON; absent if empty. Repeated keys are an error. */
  readonly details: JsonDetails | undefined;
}

/** Decodes one document, with or without the tag of self-described CBOR. Throws `CborError`. */
export function decodeCbor(bytes: Uint8Array): DecodedCbor {
  return finish(decodeCborInSteps(bytes));
}

/** {@link decodeCbor} in steps, for documents that may be large. */
export function* decodeCborInSteps(bytes: Uint8Array): Steps<DecodedCbor> {
  yield* checkWellFormed(bytes);
  const reader = new ValueReader(bytes);
  const value = yield* reader.value();
  const { numberTexts } = reader;
  return { value, details: numberTexts.size === 0 ? undefined : { duplicateKeys: new Map(), numberTexts } };
}
