export { indentJson } from './indent.js';
export { MAX_JSON_DEPTH, type ParsedJson, parseJson, type ParseJsonLimits } from './parse.js';
export { formatPath, type JsonDetails } from './reader.js';
export { formatNumber, quoteJson } from './quote.js';
export { encodeJson, stringifyJson, type StringifyOptions } from './stringify.js';
export { JsonNumberRangeError, JsonSyntaxError } from './syntax-error.js';
export { compareUtf8, decodeUtf8, sortedKeys } from './text.js';
export { deepCopy, deepEqual, getOwn, type Int64, isObject, type JsonObject, type JsonValue, setOwn } from './value.js';
export { type JsonWriter, writeJsonBytes, writeJsonText } from './writer.js';
