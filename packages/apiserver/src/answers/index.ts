export {
  documentOf,
  type Encoding,
  type ListHead,
  type LongDocument,
  type MetaDocument,
  type Presentation,
  type StreamEncoding,
} from './encoding.js';
export { jsonEncoding } from './json-encoding.js';
export { streamEncodingOf } from './encoding-of.js';
export { checkReadable, lazily, partialMetadataList } from './long-document.js';
export { negotiateRepresentation, type Representation } from './negotiation.js';
export { partialMetadataJson, partialObjectMetadata } from './partial-metadata.js';
export { respond, respondWithError, respondWithStatus } from './respond.js';
export { notAList, notOneObject } from './mismatched-shape.js';
