import { EvaluationError } from '../evaluation-error.js';
import { type Overload, overload } from '../overload.js';
import { OpaqueValue, type Value } from '../values.js';
import { bool, from, string } from './arguments.js';
import { succeeds } from './succeeds.js';

const NUMBER = '(0|[1-9]\\d{0,19})';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([0-9A-Za-z.-]+))?(?:\\+([0-9A-Za-z.-]+))?$`);
const IDENTIFIER = /^(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)$/;
const MAX_NUMBER = 2n ** 64n - 1n;

interface Version {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly preRelease: readonly string[];
}

class SemverValue extends OpaqueValue {
  readonly typeName = 'kubernetes.Semver';
  readonly version: Version;
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
    this.version = readVersion(text);
  }

  override get size(): number {
    return this.#text.length;
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof SemverValue && compareVersions(this.version, other.version) === 0;
  }
}

/** A version as an expression sees it. Throws if it is not a semantic version. */
export function semverValue(text: string): Value {
  return new SemverValue(text);
}

const semver = (value: Value): Version | undefined => (value instanceof SemverValue ? value.version : undefined);
const versions = from(semver, semver);

/**
 * Semantic versions, parsed strictly, or normalized from forms like `v1.2` on request. Upstream: apiserver
 * `pkg/cel/library/semverlib.go`.
 */
export const SEMVERS: readonly Overload[] = [
  overload(
    'semver',
    'string_to_semver',
    '(string) -> kubernetes.Semver',
    from(string)((text) => new SemverValue(text)),
  ),
  overload(
    'semver',
    'string_bool_to_semver',
    '(string, bool) -> kubernetes.Semver',
    from(string, bool)((text, lenient) => new SemverValue(lenient ? normalize(text) : text)),
  ),
  overload(
    'isSemver',
    'is_semver_string',
    '(string) -> bool',
    from(string)((text) => succeeds(() => readVersion(text))),
  ),
  overload(
    'isSemver',
    'is_semver_string_bool',
    '(string, bool) -> bool',
    from(string, bool)((text, lenient) => succeeds(() => readVersion(lenient ? normalize(text) : text))),
  ),
  overload(
    'isGreaterThan',
    'semver_is_greater_than',
    'kubernetes.Semver.(kubernetes.Semver) -> bool',
    versions((left, right) => compareVersions(left, right) > 0),
  ),
  overload(
    'isLessThan',
    'semver_is_less_than',
    'kubernetes.Semver.(kubernetes.Semver) -> bool',
    versions((left, right) => compareVersions(left, right) < 0),
  ),
  overload(
    'compareTo',
    'semver_compare_to',
    'kubernetes.Semver.(kubernetes.Semver) -> int',
    versions((left, right) => BigInt(compareVersions(left, right))),
  ),
  overload(
    'major',
    'semver_major',
    'kubernetes.Semver.() -> int',
    from(semver)(({ numbers }) => BigInt.asIntN(64, numbers[0])),
  ),
  overload(
    'minor',
    'semver_minor',
    'kubernetes.Semver.() -> int',
    from(semver)(({ numbers }) => BigInt.asIntN(64, numbers[1])),
  ),
  overload(
    'patch',
    'semver_patch',
    'kubernetes.Semver.() -> int',
    from(semver)(({ numbers }) => BigInt.asIntN(64, numbers[2])),
  ),
];

function readVersion(text: string): Version {
  const version = parseVersion(text);
  if (version === undefined) throw new EvaluationError(problemOf(text));
  return version;
}

function parseVersion(text: string): Version | undefined {
  const [whole, major = '', minor = '', patch = '', preRelease = '', build = ''] = VERSION.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const numbers = [BigInt(major), BigInt(minor), BigInt(patch)] as const;
  if (numbers.some((number) => number > MAX_NUMBER)) return undefined;
  const identifiers = preRelease === '' ? [] : preRelease.split('.');
  if (!identifiers.every((identifier) => IDENTIFIER.test(identifier))) return undefined;
  if (build !== '' && build.split('.').includes('')) return undefined;
  return { numbers, preRelease: identifiers };
}

/** Removes a leading `v` and leading zeros, and adds missing numbers. */
function normalize(text: string): string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])].map(
    (part) => (part.length > 1 ? part.replace(/^0+/, '').replace(/^(?!\d)/, '0') : part),
  );
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new EvaluationError('short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

/** By precedence, which ignores build metadata. */
function compareVersions(left: Version, right: Version): number {
  for (const [index, number] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (left.preRelease.length === 0 || right.preRelease.length === 0) {
    return Math.sign(right.preRelease.length - left.preRelease.length);
  }
  for (const [index, identifier] of left.preRelease.entries()) {
    const other = right.preRelease[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(identifier, other);
    if (order !== 0) return order;
  }
  return left.preRelease.length < right.preRelease.length ? -1 : 0;
}

/** Numbers sort before words. */
function compareIdentifiers(left: string, right: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  // Numbers have no leading zeros, so the longer is the larger.
  if (isNumber && left.length !== right.length) return left.length < right.length ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Upstream: `blang/semver` Parse. */
function problemOf(text: string): string {
  if (text === '') return 'Version string empty';
  const parts = /^([^.]*)\.([^.]*)\.([^-+]*)/.exec(text);
  if (parts === null) return 'No Major.Minor.Patch elements found';
  for (const [index, name] of ['major', 'minor', 'patch'].entries()) {
    const part = parts[index + 1] ?? '';
    if (!/^\d+$/.test(part)) return `Invalid character(s) found in ${name} number ${JSON.stringify(part)}`;
    if (/^0\d/.test(part)) {
      const capital = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      return `${capital} number must not contain leading zeroes ${JSON.stringify(part)}`;
    }
  }
  return `Invalid semantic version ${JSON.stringify(text)}`;
}
