/** The client broke the protocol. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
}
