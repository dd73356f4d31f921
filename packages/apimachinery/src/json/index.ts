export { deepCopy, deepCopyInSteps } from './copy.js';
export { deepEqualInSteps } from './equal.js';
export { formatFloat } from './format-float.js';
export { formatGoValue } from './go-value.js';
export { copyMembersInSteps, hasNoKeys, keysInSteps } from './keys.js';
export { indentedJson, indentJson } from './indent.js';
export { type Outline, outlineJson, outlineOf } from './outline.js';
export { type ParsedJson, parseJson, parseJsonInSteps, type ParseJsonLimits } from './parse.js';
export { readJson } from './read.js';
export { type ContainerTexts, type JsonDetails, unstructuredDetails } from './details.js';
export { formatPath, type JsonLimits, MAX_JSON_DEPTH } from './reader.js';
export { formatNumber, quoteJson } from './quote.js';
export { endOfString, endOfValue, isNestedDeeper, startsAt } from './scan.js';
export { sortedInSteps, sortedTextsInSteps } from './sort-in-steps.js';
export {
  encodeJson,
  encodeJsonInSteps,
  stringifyJson,
  type StringifyOptions,
  writeJsonInSteps,
  writeListInSteps,
  writeMapInSteps,
} from './stringify.js';
export { shareJson, writeSharedJson } from './shared-json.js';
export { isLarge } from './size.js';
export { JsonNumberRangeError, JsonSyntaxError } from './syntax-error.js';
export { StrictErrors } from './strict-errors.js';
export { TextLimit } from './text-limit.js';
export { type MemberPath, memberPath, stringAt, withoutMember } from './string-at.js';
export { compareUtf8, decodeUtf8, sortedKeys, sortUtf8 } from './text.js';
export {
  deepEqual,
  getOwn,
  type Int64,
  isObject,
  numberOf,
  isTexts,
  type JsonObject,
  type JsonValue,
  setOwn,
} from './value.js';
export { withoutEnding } from './without-ending.js';
export { JsonWriter, writeJsonBytes, writeJsonBytesInSteps, writeJsonText } from './writer.js';
