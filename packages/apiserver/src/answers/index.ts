export type { Encoding, ListHead, MetaDocument, Presentation, StreamEncoding } from './encoding.js';
export { streamEncodingOf } from './encoding-of.js';
export { checkReadable, lazily, type LongDocument, partialMetadataList } from './long-document.js';
export { negotiateRepresentation, type Representation } from './negotiation.js';
export { partialMetadataJson, partialObjectMetadata } from './partial-metadata.js';
export { respond, respondWithError, respondWithStatus } from './respond.js';
export { notAList, notOneObject } from './mismatched-shape.js';
