export { acceptsExactly } from './accept.js';
export { decodeTyped, decodeTypedInSteps, type Decoded, type DecodeOptions } from './decode.js';
export { DecodeError } from './decode-context.js';
export { typedDocumentInSteps, untypedDocumentInSteps } from './document.js';
export { encodeTyped, encodeTypedText, encodeUntyped } from './encode.js';
export { encodeTypedInSteps, encodeUntypedInSteps } from './encode-in-steps.js';
export { shownZeros } from './encode-plan.js';
export {
  APPLY_CBOR_MEDIA_TYPE,
  applyMediaTypes,
  CBOR_MEDIA_TYPE,
  formatMediaType,
  JSON_MEDIA_TYPE,
  listedMediaTypes,
  listedStreamMediaTypes,
  type MediaType,
  PROTOBUF_MEDIA_TYPE,
  type Serializer,
  SERIALIZERS,
  SERIALIZERS_WITH_CBOR,
  YAML_MEDIA_TYPE,
} from './media-type.js';
export { CBOR_PREFIX, isCbor, isEncrypted, isEnvelope, PROTOBUF_PREFIX } from './format-prefixes.js';
export { allowsMetaTransform, isPretty, negotiate, negotiateInput, type NegotiateOptions } from './negotiate.js';
export { type SchemaUnion, schemaUnions } from './schema-unions.js';
export { goKindOf, typeMetaFieldProblem, typeMetaProblem } from './type-meta.js';
