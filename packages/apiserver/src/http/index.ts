export { clientGone } from './body-writer.js';
export { acceptsGzip } from './gzip.js';
export {
  type ConnectionSource,
  createHttpsServer,
  type HttpsServer,
  type HttpsServerOptions,
} from './https-server.js';
export type { InProcessAnswer, InProcessRequest } from './in-process-exchange.js';
export { createInProcessServer, type InProcessServer } from './in-process-server.js';
export type { HttpLimits } from './limits.js';
export { type Body, bodyOf, PIECE_BYTES, wholeBody } from './piecewise-body.js';
export type { NamedCertificate, ServerTls } from './tls/secure-contexts.js';
export { writeDocument } from './write-document.js';
export { respondJson, respondStatus, respondText, wantsPretty, writeResponse, writeStream } from './response.js';
