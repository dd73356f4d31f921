import type * as cbor from '@binnacle/apimachinery/cbor';

type CborCode = typeof cbor;

let code: CborCode | undefined;

/** Settles when {@link cborCode} can be called; undefined = it can. Most servers never need it, and no start waits for it. */
export function cborLoading(): Promise<void> | undefined {
  return code === undefined ? loadCbor() : undefined;
}

async function loadCbor(): Promise<void> {
  code = await import('@binnacle/apimachinery/cbor');
}

/** The codec of CBOR, for those who have waited for it. */
export function cborCode(): CborCode {
  if (code === undefined) throw new Error('nobody has waited for the codec of CBOR');
  return code;
}
