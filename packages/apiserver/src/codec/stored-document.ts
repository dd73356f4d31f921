import type * as cbor from '@binnacle/apimachinery/cbor';
import { type JsonValue, parseJson } from '@binnacle/apimachinery/json';
import { isCbor } from '@binnacle/apimachinery/serializer';

let code: typeof cbor | undefined;

/** Settles when {@link readStoredDocument} can be given the value; undefined = it can. */
export function documentLoading(value: Uint8Array): Promise<void> | undefined {
  return code === undefined && isCbor(value) ? loadCbor() : undefined;
}

async function loadCbor(): Promise<void> {
  code = await import('@binnacle/apimachinery/cbor');
}

/** A value in JSON, or in CBOR, in which upstream stores custom resources with its gate on and reads them with it off. */
export function readStoredDocument(value: Uint8Array): JsonValue {
  if (!isCbor(value)) return parseJson(value).value;
  if (code === undefined) throw new Error('nobody has waited for the codec of CBOR');
  return code.decodeCbor(value).value;
}
