import { Pace, type Steps } from '../../work/index.js';
import { EvaluationError } from '../evaluation-error.js';
import { INDEX, OPTIONAL_INDEX, OR, OR_VALUE } from '../operators.js';
import { longOverload, type Overload, overload } from '../overload.js';
import {
  Duration,
  ListValue,
  MapValue,
  ObjectValue,
  OptionalValue,
  Timestamp,
  UnsignedInteger,
  type Value,
} from '../values.js';
import { any, from, list, map, optional } from './arguments.js';
import { elementAt } from './collections.js';
import { evaluatedByCompiler } from './logic.js';

/** Upstream: cel-go `cel/library.go`, optional types version 2. */
export const OPTIONALS: readonly Overload[] = [
  overload(
    'optional.of',
    'optional_of',
    '(A) -> optional(A)',
    from(any)((value) => new OptionalValue(value)),
  ),
  overload('optional.ofNonZeroValue', 'optional_ofNonZeroValue', '(A) -> optional(A)', from(any)(ofNonZero)),
  overload('optional.none', 'optional_none', '() -> optional(A)', () => OptionalValue.NONE),
  overload('value', 'optional_value', 'optional(A).() -> A', from(optional)(valueOf)),
  overload(
    'hasValue',
    'optional_hasValue',
    'optional(A).() -> bool',
    from(optional)((holder) => holder.value !== undefined),
  ),
  overload(OR, 'optional_or_optional', 'optional(A).(optional(A)) -> optional(A)', evaluatedByCompiler),
  overload(OR_VALUE, 'optional_orValue_value', 'optional(A).(A) -> A', evaluatedByCompiler),
  overload(
    OPTIONAL_INDEX,
    'list_optindex_optional_int',
    '(list(A), int) -> optional(A)',
    from(list, any)((values, index) => found(elementAt(values, index))),
  ),
  overload(
    OPTIONAL_INDEX,
    'optional_list_optindex_optional_int',
    '(optional(list(A)), int) -> optional(A)',
    from(optional, any)(indexInside),
  ),
  overload(
    OPTIONAL_INDEX,
    'map_optindex_optional_value',
    '(map(A, B), A) -> optional(B)',
    from(map, any)((values, key) => found(values.get(key))),
  ),
  overload(
    OPTIONAL_INDEX,
    'optional_map_optindex_optional_value',
    '(optional(map(A, B)), A) -> optional(B)',
    from(optional, any)(indexInside),
  ),
  overload(
    INDEX,
    'optional_list_index_int',
    '(optional(list(A)), int) -> optional(A)',
    from(optional, any)(indexInside),
  ),
  overload(
    INDEX,
    'optional_map_index_value',
    '(optional(map(A, B)), A) -> optional(B)',
    from(optional, any)(indexInside),
  ),
  overload(
    'last',
    'list_last',
    'list(A).() -> optional(A)',
    from(list)((values) => found(values.size === 0 ? undefined : values.at(values.size - 1))),
  ),
  overload(
    'first',
    'list_first',
    'list(A).() -> optional(A)',
    from(list)((values) => found(values.size === 0 ? undefined : values.at(0))),
  ),
  longOverload('optional.unwrap', 'optional_unwrap', '(list(optional(A))) -> list(A)', { steps: from(list)(unwrap) }),
  longOverload('unwrapOpt', 'optional_unwrapOpt', 'list(optional(A)).() -> list(A)', { steps: from(list)(unwrap) }),
];

function found(value: Value | undefined): OptionalValue {
  return value === undefined ? OptionalValue.NONE : new OptionalValue(value);
}

function valueOf(holder: OptionalValue): Value {
  if (holder.value === undefined) throw new EvaluationError('optional.none() dereference');
  return holder.value;
}

function indexInside(holder: OptionalValue, index: Value): OptionalValue {
  const { value } = holder;
  if (value instanceof ListValue) return found(elementAt(value, index));
  return value instanceof MapValue ? found(value.get(index)) : OptionalValue.NONE;
}

/** About a millisecond. */
const ITEMS_PER_STEP = 20_000;

function* unwrap(values: ListValue): Steps<ListValue> {
  const items: Value[] = [];
  const pace = new Pace(ITEMS_PER_STEP);
  for (const holder of values) {
    if (holder instanceof OptionalValue && holder.value !== undefined) items.push(holder.value);
    if (pace.endsStep()) yield;
  }
  return ListValue.of(items);
}

function ofNonZero(value: Value): OptionalValue {
  return isZero(value) ? OptionalValue.NONE : new OptionalValue(value);
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0n || value === 0) return true;
  if (typeof value !== 'object') return false;
  if (value instanceof UnsignedInteger) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof Timestamp || value instanceof Duration) return value.nanoseconds === 0n;
  return value instanceof ObjectValue && value.fields()[Symbol.iterator]().next().done === true;
}
