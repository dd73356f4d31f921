export { protobufEncoding, protobufFormat, type SchemaOf } from './protobuf-encoding.js';
