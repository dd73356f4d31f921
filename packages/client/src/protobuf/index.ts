export { protobufEncoding } from './protobuf-encoding.js';
export { protobufFormat } from './protobuf-format.js';
export type { SchemaOf } from './schema-of.js';
