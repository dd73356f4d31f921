import { type FieldError, invalidValue } from '@binnacle/apimachinery/status';

/** Upstream: pod-security-admission `api`. */
export type Level = 'privileged' | 'baseline' | 'restricted';

export interface LevelVersion {
  readonly level: Level;
  /** The minor version of `v1.x`; Infinity for `latest`. */
  readonly minor: number;
}

export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

type Labels = Readonly<Record<string, string>>;

const PREFIX = 'pod-security.kubernetes.io/';
const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];
export const LATEST = Number.POSITIVE_INFINITY;
export const MODES = ['enforce', 'audit', 'warn'] as const;
export const LEVEL_FAULT = `must be one of ${LEVELS.join(', ')}`;
export const VERSION_FAULT = 'must be "latest" or "v1.x"';

const PRIVILEGED: LevelVersion = { level: 'privileged', minor: LATEST };
/** Upstream's defaults. */
export const PRIVILEGED_POLICY: Policy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };

/**
 * The policy of a namespace's labels, and `defaults` where it has none. An invalid label is an error. For enforcement it
 * means the strictest level, for audit and warnings none.
 */
export function policyOf(
  labels: Labels | undefined,
  defaults: Policy = PRIVILEGED_POLICY,
): { readonly policy: Policy; readonly errors: FieldError[] } {
  const errors: FieldError[] = [];
  const held = (name: string): string | undefined => labelOf(labels, name);
  const mode = (name: (typeof MODES)[number], onError: Level): LevelVersion => {
    const level = held(name);
    const version = held(`${name}-version`);
    const known = level === undefined ? defaults[name].level : parseLevel(level);
    if (known === undefined) errors.push(labelError(name, level ?? '', LEVEL_FAULT));
    const minor = version === undefined ? defaults[name].minor : parseMinor(version);
    if (minor === undefined) errors.push(labelError(`${name}-version`, version ?? '', VERSION_FAULT));
    return { level: known ?? onError, minor: minor ?? LATEST };
  };
  const enforce = mode('enforce', 'restricted');
  const audit = mode('audit', 'privileged');
  let warn = mode('warn', 'privileged');
  // A namespace that enforces a level also warns about it, unless the labels set another warn level.
  const enforcesOwnLevel = parseLevel(held('enforce') ?? '') !== undefined;
  if (held('warn') === undefined && enforcesOwnLevel && isStricter(enforce.level, warn.level)) {
    warn = { level: enforce.level, minor: held('warn-version') === undefined ? enforce.minor : warn.minor };
  }
  return { policy: { enforce, audit, warn }, errors };
}

/** The value of a label of this policy, such as `enforce-version`. */
export function labelOf(labels: Labels | undefined, name: string): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, PREFIX + name) ? labels[PREFIX + name] : undefined;
}

/** Undefined: there is no such level. */
export function parseLevel(text: string): Level | undefined {
  return LEVELS.find((each) => each === text);
}

export function isStricter(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(than);
}

export function isPrivileged({ enforce, audit, warn }: Policy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === 'privileged');
}

/** Whether both policies have the same effect. */
export function isEquivalent(a: Policy, b: Policy): boolean {
  return MODES.every((mode) => {
    const [one, other] = [a[mode], b[mode]];
    return sameLevel(one, other) || (one.level === 'privileged' && other.level === 'privileged');
  });
}

export function sameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** `baseline:latest`, `restricted:v1.25`. */
export function formatLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? 'latest' : `v1.${minor}`}`;
}

/** The minor version of `latest` or `v1.x`; undefined: the text is neither. */
export function parseMinor(text: string): number | undefined {
  if (text === 'latest') return LATEST;
  const digits = /^v1\.(0|[1-9][0-9]{0,15})$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function labelError(name: string, value: string, why: string): FieldError {
  return invalidValue(`metadata.labels[${PREFIX}${name}]`, value, why);
}
