/** The peer broke the protocol, or a stream was refused or reset. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}
