import type { JsonObject } from '@binnacle/apimachinery/json';
import { readBody, type SendOptions, type Transport, type TransportRequest } from '../transport/index.js';
import { decodeObject } from './answers.js';
import { type Encoding, jsonEncoding } from './encoding.js';

/** Sends a request, which is made for the encoding, and reads the object in its answer. Rejects as the transport does, and with the `StatusError` of a refusal. */
export async function exchange(
  transport: Transport,
  request: TransportRequest,
  options: SendOptions = {},
  encoding: Encoding = jsonEncoding,
): Promise<JsonObject> {
  const response = await transport.send(request, options);
  return decodeObject(request, response, await readBody(response), encoding);
}
