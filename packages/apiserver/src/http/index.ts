export type { Exchange, PeerCertificate, ResponseHeaders, ResponseStream, WebSocketUpgrade } from './exchange.js';
export { acceptsGzip } from './gzip.js';
export { createHttpsServer, type HttpsServer, type HttpsServerOptions } from './https-server.js';
export { defaultLimits, type HttpLimits } from './limits.js';
export { PIECE_BYTES, type PiecewiseBody, wholeBody } from './piecewise-body.js';
export { FakeExchange, type FakeRequest } from './test-exchange.js';
export { type Filter, type Handler, RequestContext } from './request-context.js';
export { respondJson, respondStatus, respondText, wantsPretty, writeResponse, writeStream } from './response.js';
