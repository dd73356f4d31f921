import { decodeHeader } from '../authentication/index.js';
import type { Exchange } from './exchange.js';

/** The User-Agent of a request, which managed fields, history and audit events show; empty if it names none. */
export function userAgentOf({ headers }: Pick<Exchange, 'headers'>): string {
  return decodeHeader(headers['user-agent'] ?? '');
}
