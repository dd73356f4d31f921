import { hasFormat } from '../../structural/index.js';
import {
  parseRequestUri,
  UrlError,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelKey,
  validateLabelValue,
} from '../../validation/index.js';
import { type Overload, overload } from '../overload.js';
import { ListValue, OpaqueValue, OptionalValue, type Value } from '../values.js';
import { from, string } from './arguments.js';

export class FormatValue extends OpaqueValue {
  readonly typeName = 'kubernetes.NamedFormat';
  readonly name: string;
  /** Returns the problems of a text; empty if it has the format. */
  readonly problems: (text: string) => string[];
  /** The length of upstream's pattern, which determines the cost. */
  readonly patternLength: number;

  constructor(name: string, patternLength: number, problems: (text: string) => string[]) {
    super();
    this.name = name;
    this.patternLength = patternLength;
    this.problems = problems;
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof FormatValue && this.name === other.name;
  }
}

/** Lengths of upstream's patterns, which determine costs: kube-openapi `strfmt`. */
const DATE_TIME_PATTERN_LENGTH = 71;
const UUID_PATTERN_LENGTH = 70;

/** Upstream: apiserver `pkg/cel/library/format.go`. */
const FORMATS: ReadonlyMap<string, FormatValue> = new Map<string, FormatValue>([
  ['dns1123Label', new FormatValue('DNS1123Label', 30, validateDns1123Label)],
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, validateDns1123Subdomain)],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, validateDns1035Label)],
  ['qualifiedName', new FormatValue('QualifiedName', 60, validateLabelKey)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, (text) => validateDns1123Label(maskDash(text)))],
  [
    'dns1123SubdomainPrefix',
    new FormatValue('DNS1123SubdomainPrefix', 60, (text) => validateDns1123Subdomain(maskDash(text))),
  ],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, (text) => validateDns1035Label(maskDash(text)))],
  ['labelValue', new FormatValue('LabelValue', 40, validateLabelValue)],
  ['uri', new FormatValue('URI', 1103, uriProblems)],
  [
    'uuid',
    new FormatValue('uuid', UUID_PATTERN_LENGTH, (text) =>
      schemaFormat(text, 'uuid', 'does not match the UUID format'),
    ),
  ],
  ['byte', new FormatValue('byte', 84, (text) => schemaFormat(text, 'byte', 'invalid base64'))],
  ['date', new FormatValue('date', DATE_TIME_PATTERN_LENGTH, (text) => schemaFormat(text, 'date', 'invalid date'))],
  [
    'datetime',
    new FormatValue('datetime', DATE_TIME_PATTERN_LENGTH, (text) => schemaFormat(text, 'datetime', 'invalid datetime')),
  ],
]);

const format = (value: Value): FormatValue | undefined => (value instanceof FormatValue ? value : undefined);

export const FORMAT_FUNCTIONS: readonly Overload[] = [
  overload(
    'validate',
    'format-validate',
    'kubernetes.NamedFormat.(string) -> optional(list(string))',
    from(format, string)(validate),
  ),
  overload(
    'format.named',
    'format-named',
    '(string) -> optional(kubernetes.NamedFormat)',
    from(string)((name) => new OptionalValue(FORMATS.get(name))),
  ),
  ...[...FORMATS].map(([name, value]) =>
    overload(`format.${name}`, `format.${name}`, '() -> kubernetes.NamedFormat', () => value),
  ),
];

function validate(wanted: FormatValue, text: string): OptionalValue {
  const problems = wanted.problems(text);
  return problems.length === 0 ? OptionalValue.NONE : new OptionalValue(ListValue.of(problems));
}

function schemaFormat(text: string, name: string, problem: string): string[] {
  return hasFormat(text, name) ? [] : [problem];
}

/** A prefix may end in a dash, because characters follow it. */
function maskDash(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text;
}

function uriProblems(text: string): string[] {
  try {
    parseRequestUri(text);
    return [];
  } catch (error) {
    if (error instanceof UrlError) return [error.message];
    throw error;
  }
}
