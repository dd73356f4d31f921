import { type FieldError, forbiddenField, invalidValue, notSupported, required } from '@binnacle/apimachinery/status';
import { inclusiveRangeMessage, nameIsDnsSubdomain, semanticEqual } from '@binnacle/apimachinery/validation';
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '../../generated/types/flowcontrol-v1.js';
import { wholeMetadata } from '../common.js';
import { MANDATORY_PRIORITY_LEVELS, SHOWN_PRIORITY_LEVEL_SPEC } from './mandatory-objects.js';
import { validateFlowControlConditions } from './flow-schema.js';
import { shownStruct } from '../go-struct.js';

// Upstream: `ValidatePriorityLevelConfiguration`.

const EXEMPT = 'exempt';
const KEEP_ZERO_ANNOTATION = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
const QUEUES_MAXIMUM = 10_000_000;
/** Shuffle sharding deals a hand of queues from the bits of one 64-bit hash. */
const HASH_BITS = 60;

export function validatePriorityLevelConfiguration(object: PriorityLevelConfiguration): FieldError[] {
  const name = object.metadata?.name ?? '';
  const spec: Partial<PriorityLevelConfigurationSpec> = object.spec ?? {};
  return [
    ...(Object.hasOwn(object.metadata?.annotations ?? {}, KEEP_ZERO_ANNOTATION)
      ? [forbiddenField('metadata.annotations', `annotation '${KEEP_ZERO_ANNOTATION}' is forbidden`)]
      : []),
    ...((name === EXEMPT) === (spec.type === 'Exempt')
      ? []
      : [invalidValue('spec.type', spec.type ?? '', "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...byType(spec),
    ...fixed(name, spec),
    ...validateFlowControlConditions(object.status?.conditions),
  ];
}

function byType(spec: Partial<PriorityLevelConfigurationSpec>): FieldError[] {
  const { exempt, limited } = spec;
  switch (spec.type) {
    case 'Exempt':
      return [
        ...(limited === undefined ? [] : [forbiddenField('spec.limited', 'must be nil if the type is not Limited')]),
        ...(exempt === undefined ? [] : exemptLevel(exempt, 'spec.exempt')),
      ];
    case 'Limited':
      return [
        ...(exempt === undefined ? [] : [forbiddenField('spec.exempt', 'must be nil if the type is Limited')]),
        ...(limited === undefined
          ? [required('spec.limited', 'must not be empty when type is Limited')]
          : limitedLevel(limited, 'spec.limited')),
      ];
    default:
      return [notSupported('spec.type', spec.type ?? '', ['Exempt', 'Limited'])];
  }
}

/** Mandatory levels are immutable, except for the shares of the exempt level. */
function fixed(name: string, spec: Partial<PriorityLevelConfigurationSpec>): FieldError[] {
  const wanted = MANDATORY_PRIORITY_LEVELS.get(name);
  const compared = name === EXEMPT ? { ...spec, exempt: wanted?.exempt } : spec;
  if (wanted === undefined || semanticEqual(compared, wanted)) return [];
  const except = name === EXEMPT ? " except the 'spec.exempt' field" : '';
  const shown = shownStruct(spec, SHOWN_PRIORITY_LEVEL_SPEC);
  return [invalidValue('spec', shown, `spec of '${name}'${except} must equal the fixed value`)];
}

function shares(value: number | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalidValue(field, value, 'must be a non-negative integer')] : [];
}

function percent(value: number | undefined, field: string): FieldError[] {
  if (value === undefined || (value >= 0 && value <= 100)) return [];
  return [invalidValue(field, value, inclusiveRangeMessage(0, 100))];
}

function exemptLevel(level: ExemptPriorityLevelConfiguration, field: string): FieldError[] {
  return [
    ...shares(level.nominalConcurrencyShares, `${field}.nominalConcurrencyShares`),
    ...percent(level.lendablePercent, `${field}.lendablePercent`),
  ];
}

function limitedLevel(level: LimitedPriorityLevelConfiguration, field: string): FieldError[] {
  const borrowing = level.borrowingLimitPercent;
  return [
    ...shares(level.nominalConcurrencyShares, `${field}.nominalConcurrencyShares`),
    ...limitResponse(level.limitResponse ?? {}, `${field}.limitResponse`),
    ...percent(level.lendablePercent, `${field}.lendablePercent`),
    ...(borrowing !== undefined && borrowing < 0
      ? [invalidValue(`${field}.borrowingLimitPercent`, borrowing, 'if specified, must be a non-negative integer')]
      : []),
  ];
}

function limitResponse(response: Partial<LimitResponse>, field: string): FieldError[] {
  const { type = '', queuing } = response;
  const path = `${field}.queuing`;
  switch (type) {
    case 'Reject':
      if (queuing === undefined) return [];
      return [forbiddenField(path, 'must be nil if limited.limitResponse.type is not Limited')];
    case 'Queue':
      if (queuing === undefined) return [required(path, 'must not be empty if limited.limitResponse.type is Limited')];
      return queues(queuing, path);
    default:
      return [notSupported(`${field}.type`, type, ['Queue', 'Reject'])];
  }
}

function queues(given: QueuingConfiguration, field: string): FieldError[] {
  const { queues: count = 0, handSize = 0, queueLengthLimit = 0 } = given;
  const problem = (name: string, value: number, detail: string): FieldError =>
    invalidValue(`${field}.${name}`, value, detail);
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0) errors.push(problem('queueLengthLimit', queueLengthLimit, 'must be positive'));
  if (count <= 0) errors.push(problem('queues', count, 'must be positive'));
  else if (count > QUEUES_MAXIMUM) {
    errors.push(problem('queues', count, `must not be greater than ${QUEUES_MAXIMUM}`));
  }
  if (handSize <= 0) errors.push(problem('handSize', handSize, 'must be positive'));
  else if (handSize > count) {
    errors.push(problem('handSize', handSize, `should not be greater than queues (${count})`));
  } else if (entropyBits(count, handSize) > HASH_BITS) {
    const detail = `required entropy bits of deckSize ${count} and handSize ${handSize} should not be greater than ${HASH_BITS}`;
    errors.push(problem('handSize', handSize, detail));
  }
  return errors;
}

/** The bits needed to choose a hand of `handSize` from a deck of `deckSize`. */
function entropyBits(deckSize: number, handSize: number): number {
  return Math.ceil(Math.log2(deckSize) * handSize);
}

export function validatePriorityLevelConfigurationUpdate(object: PriorityLevelConfiguration): FieldError[] {
  return [...wholeMetadata(object, false, nameIsDnsSubdomain), ...validatePriorityLevelConfiguration(object)];
}

export function validatePriorityLevelConfigurationStatusUpdate(object: PriorityLevelConfiguration): FieldError[] {
  return validateFlowControlConditions(object.status?.conditions);
}
