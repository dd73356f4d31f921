export { deepCopy, deepEqual, getOwn, type Int64, isObject, type JsonObject, type JsonValue, setOwn } from './value.js';
