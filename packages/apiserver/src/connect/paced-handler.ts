import { isTurnOver, pause } from '@binnacle/apimachinery/turns';
import type { RequestContext } from '../request/index.js';

export type ConnectHandler = (context: RequestContext) => Promise<void>;

/**
 * Begins the requests to other servers over several turns of the loop, after the stages of short requests. Each opens a TLS connection or a
 * WebSocket, which takes longer than such a stage.
 */
export function paced(handler: ConnectHandler): ConnectHandler {
  return async (context) => {
    if (isTurnOver()) await pause();
    return handler(context);
  };
}
