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
const LATEST = Number.POSITIVE_INFINITY;

/**
 * The policy of a namespace's labels. An invalid label is an error. For enforcement it means the strictest level, for
 * audit and warnings none.
 */
export function policyOf(labels: Labels | undefined): { readonly policy: Policy; readonly errors: FieldError[] } {
  const errors: FieldError[] = [];
  const held = (name: string): string | undefined =>
    labels !== undefined && Object.hasOwn(labels, PREFIX + name) ? labels[PREFIX + name] : undefined;
  const mode = (name: string, onError: Level): LevelVersion => {
    const level = held(name);
    const version = held(`${name}-version`);
    const known = level === undefined ? 'privileged' : LEVELS.find((each) => each === level);
    if (known === undefined) {
      errors.push(labelError(name, level ?? '', `must be one of ${LEVELS.join(', ')}`));
    }
    const minor = version === undefined ? LATEST : parseMinor(version);
    if (minor === undefined) errors.push(labelError(`${name}-version`, version ?? '', 'must be "latest" or "v1.x"'));
    return { level: known ?? onError, minor: minor ?? LATEST };
  };
  const enforce = mode('enforce', 'restricted');
  const audit = mode('audit', 'privileged');
  let warn = mode('warn', 'privileged');
  // A namespace that enforces a level also warns about it, unless the labels set another warn level.
  const enforcesOwnLevel = LEVELS.some((level) => level === held('enforce'));
  if (held('warn') === undefined && enforcesOwnLevel && isStricter(enforce.level, warn.level)) {
    warn = { level: enforce.level, minor: held('warn-version') === undefined ? enforce.minor : warn.minor };
  }
  return { policy: { enforce, audit, warn }, errors };
}

export function isStricter(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(than);
}

export function sameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** `baseline:latest`, `restricted:v1.25`. */
export function formatLevel({ level, minor }: LevelVersion): string {
  return `${level}:${minor === LATEST ? 'latest' : `v1.${minor}`}`;
}

function parseMinor(text: string): number | undefined {
  if (text === 'latest') return LATEST;
  const digits = /^v1\.(0|[1-9][0-9]{0,15})$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function labelError(name: string, value: string, why: string): FieldError {
  return invalidValue(`metadata.labels[${PREFIX}${name}]`, value, why);
}
