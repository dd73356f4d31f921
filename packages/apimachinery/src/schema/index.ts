export type {
  FieldSchema,
  ListSchema,
  MapSchema,
  ScalarKind,
  ScalarSchema,
  StructReference,
  StructSchema,
  Union,
  ValueSchema,
} from './types.js';
