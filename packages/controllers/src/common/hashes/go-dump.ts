import {
  compareUtf8,
  getOwn,
  isObject,
  type JsonObject,
  type JsonValue,
  sortedInSteps,
  stringifyJson,
} from '@binnacle/apimachinery/json';
import { Pace, type Steps } from '@binnacle/apimachinery/work';
import { named, structs } from './generated/go-types.js';
import { type GoQuantity, goQuantity } from './go-quantity.js';

/** About a millisecond of work. */
const VALUES_PER_STEP = 1000;

/**
 * The text of a JSON value as a Go struct, with the names of types and fields in the struct's order. Empty lists and maps count as missing, as in
 * protobuf. Upstream: spew's `%#v`, by `k8s.io/utils/dump.ForHash`.
 */
export function goDumpInSteps(type: string, value: JsonValue | undefined): Steps<string> {
  return dump(type, value, new Pace(VALUES_PER_STEP));
}

function* dump(type: string, value: JsonValue | undefined, pace: Pace): Steps<string> {
  if (pace.endsStep()) yield;
  const isMissing = value === undefined || value === null;
  if (!type.startsWith('*')) return `(${type})${yield* contents(type, isMissing ? undefined : value, pace)}`;
  return `(${type})${isMissing ? NIL : yield* contents(type.slice(1), value, pace)}`;
}

const NIL = '<nil>';

/** Types with a JSON form of their own. */
const leaves: Readonly<Record<string, (value: JsonValue | undefined) => string>> = {
  'resource.Quantity': (value) => (value === undefined ? ZERO_QUANTITY : quantity(goQuantity(plain(value, '')))),
  'intstr.IntOrString': (value) =>
    typeof value === 'string'
      ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
      : `{Type:(intstr.Type)0 IntVal:(int32)${Number(value ?? 0)} StrVal:(string)}`,
  // A template has no times of its own. Go prints the machine's time zone with any that a client sets, so no hash of those is stable.
  'v1.Time': () => '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}',
  'v1.FieldsV1': (value) => `{Raw:([]uint8)[${[...Buffer.from(stringifyJson(value ?? null))].join(' ')}]}`,
};

const ZERO_QUANTITY =
  '{i:(resource.int64Amount){value:(int64)0 scale:(resource.Scale)0} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string) Format:(resource.Format)}';

function* contents(type: string, value: JsonValue | undefined, pace: Pace): Steps<string> {
  const leaf = leaves[type];
  if (leaf !== undefined) return leaf(value);
  if (type.startsWith('[]')) return yield* list(type.slice(2), value, pace);
  if (type.startsWith('map[')) return yield* map(type.slice(type.indexOf(']') + 1), value, pace);
  const fields = fieldsOf(type);
  if (fields !== undefined) return yield* struct(fields, isObject(value) ? value : {}, pace);
  const below = named[type];
  return below === undefined ? scalar(type, value) : yield* contents(below, value, pace);
}

function* list(element: string, value: JsonValue | undefined, pace: Pace): Steps<string> {
  if (!Array.isArray(value) || value.length === 0) return NIL;
  const texts: string[] = [];
  for (const item of value) texts.push(yield* contents(element, item, pace));
  return `[${texts.join(' ')}]`;
}

function* map(element: string, value: JsonValue | undefined, pace: Pace): Steps<string> {
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return NIL;
  const texts: string[] = [];
  const sorted = yield* sortedInSteps(entries, ([one], [other]) => compareUtf8(one, other));
  for (const [key, item] of sorted) {
    if (pace.endsStep()) yield;
    texts.push(`${key}:${yield* contents(element, item, pace)}`);
  }
  return `map[${texts.join(' ')}]`;
}

function* struct(fields: readonly Field[], value: JsonObject, pace: Pace): Steps<string> {
  const texts: string[] = [];
  for (const { name, json, type } of fields) {
    texts.push(`${name}:${yield* dump(type, json === '.' ? value : getOwn(value, json), pace)}`);
  }
  return `{${texts.join(' ')}}`;
}

interface Field {
  readonly name: string;
  /** `.` for an embedded struct, whose fields are in the same JSON object. */
  readonly json: string;
  readonly type: string;
}

const fieldsByType = new Map<string, readonly Field[] | undefined>();

function fieldsOf(struct: string): readonly Field[] | undefined {
  if (!fieldsByType.has(struct)) fieldsByType.set(struct, structs[struct]?.map(fieldOf));
  return fieldsByType.get(struct);
}

function fieldOf(text: string): Field {
  const [name = '', json = '', type = ''] = text.split(' ');
  return { name, json, type };
}

function scalar(kind: string, value: JsonValue | undefined): string {
  if (kind === 'string') return plain(value, '');
  return kind === 'bool' ? String(value === true) : plain(value, '0');
}

/** The text of a string or number. */
function plain(value: JsonValue | undefined, otherwise: string): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : otherwise;
}

function quantity(held: GoQuantity): string {
  const [amount, decimal] =
    'value' in held
      ? [`value:(int64)${held.value} scale:(resource.Scale)${held.scale}`, NIL]
      : ['value:(int64)0 scale:(resource.Scale)0', bigDecimal(held.unscaled, held.decimals)];
  return (
    `{i:(resource.int64Amount){${amount}} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}}` +
    ` s:(string)${held.text} Format:(resource.Format)${held.format}}`
  );
}

function bigDecimal(unscaled: bigint, decimals: number): string {
  const words: bigint[] = [];
  for (let rest = unscaled < 0n ? -unscaled : unscaled; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  const abs = words.length === 0 ? NIL : `[${words.join(' ')}]`;
  return `{unscaled:(big.Int){neg:(bool)${unscaled < 0n} abs:(big.nat)${abs}} scale:(inf.Scale)${decimals}}`;
}
