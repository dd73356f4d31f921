export type { Exchange, PeerCertificate, ResponseHeaders, ResponseStream } from './exchange.js';
export { anonymousUser, type Filter, type Handler, RequestContext } from './request-context.js';
