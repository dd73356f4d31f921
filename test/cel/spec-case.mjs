import { equal } from '../../packages/apimachinery/dist/cel/index.js';
import * as cel from '../../packages/apimachinery/dist/cel/index.js';

/** What the cases with these words are about is not for a language without messages: protobuf, and unknown values. */
const OUT_OF_SCOPE =
  /TestAllTypes|proto2|proto3|google\.(protobuf|rpc)\.(?!Timestamp|Duration)|messageType|objectValue|enumValue|unknown/i;

const functions = cel.groupOverloads(cel.KUBERNETES_FUNCTIONS);

export function isInScope(original) {
  return !OUT_OF_SCOPE.test(JSON.stringify(original)) && expected(original) !== undefined;
}

/** Undefined if a case ends as it should, else what is different. */
export function playCase(original) {
  try {
    const result = evaluate(original);
    if (original.evalError !== undefined) return `gave ${show(result)} rather than an error`;
    const wanted = expected(original);
    const bothNaN = Number.isNaN(result) && Number.isNaN(wanted);
    return original.checkOnly || bothNaN || equal(result, wanted) ? undefined : `gave ${show(result)}`;
  } catch (error) {
    const isExpected = error instanceof cel.EvaluationError || error instanceof cel.SourceError;
    if (original.evalError !== undefined && isExpected) return undefined;
    return String(error.message).split('\n')[0];
  }
}

function evaluate(original) {
  const bindings = original.bindings ?? {};
  const variables = new Map(Object.keys(bindings).map((name) => [name, cel.DYN]));
  for (const { name, ident } of original.typeEnv ?? [])
    if (ident !== undefined) variables.set(name, typeOf(ident.type));
  const environment = { variables, functions, types: cel.STANDARD_TYPES };
  const checked = cel.checkExpression(original.expr, cel.parseExpression(original.expr), environment);
  if (original.checkOnly) return undefined;
  const program = cel.compileExpression(checked, environment);
  return program((name) => bindings[name] && valueOf(bindings[name].value), new cel.Budget(1e9));
}

function expected(original) {
  if (original.checkOnly || original.evalError !== undefined) return null;
  const value = original.value ?? original.typedResult?.result;
  return value === undefined ? true : valueOf(value);
}

const PRIMITIVES = {
  BOOL: cel.BOOL,
  BYTES: cel.BYTES,
  DOUBLE: cel.DOUBLE,
  INT64: cel.INT,
  STRING: cel.STRING,
  UINT64: cel.UINT,
};

function typeOf(type) {
  if (type.primitive !== undefined) return PRIMITIVES[type.primitive];
  if (type.listType !== undefined) return cel.listOf(typeOf(type.listType.elemType));
  if (type.mapType !== undefined) return cel.mapOf(typeOf(type.mapType.keyType), typeOf(type.mapType.valueType));
  if (type.wellKnown !== undefined) return type.wellKnown === 'TIMESTAMP' ? cel.TIMESTAMP : cel.DURATION;
  if (type.typeParam !== undefined) return cel.parameter(type.typeParam);
  return 'null' in type ? cel.NULL : cel.DYN;
}

function valueOf(value) {
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case 'int64Value':
      return BigInt(content);
    case 'uint64Value':
      return new cel.UnsignedInteger(BigInt(content));
    case 'doubleValue':
      return Number(content);
    case 'bytesValue':
      return Buffer.from(content, 'base64');
    case 'nullValue':
      return null;
    case 'listValue':
      return cel.ListValue.of((content.values ?? []).map(valueOf));
    case 'mapValue':
      return cel.mapOfEntries((content.entries ?? []).map((entry) => [valueOf(entry.key), valueOf(entry.value)]));
    case 'typeValue':
      return new cel.TypeValue(content);
    case 'stringValue':
    case 'boolValue':
      return content;
    default:
      return undefined;
  }
}

function show(value) {
  return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? String(item) : item)) ?? String(value);
}
