export type { StreamHeaders } from './header-block.js';
export { SpdyConnection, type SpdyConnectionOptions } from './spdy-connection.js';
export { SpdyError } from './spdy-error.js';
export { SpdyStream } from './spdy-stream.js';
