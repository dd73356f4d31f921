import type { Buffer } from 'node:buffer';
import type { Element } from '../der/index.js';

/** A request without its PEM: the signed bytes, the public key and the signature. */
export interface SignedRequest {
  readonly signed: Element | undefined;
  readonly publicKey: Element | undefined;
  readonly algorithm: Element | undefined;
  readonly signature: Buffer;
}
