import {
  ConfigurationError,
  kind,
  nested,
  readConfiguration,
  struct,
  text,
  texts,
} from '@binnacle/apimachinery/configuration';
import { duplicate, type FieldError, formatFieldErrors, invalidValue } from '@binnacle/apimachinery/status';
import { validateDns1123Label, validateDns1123Subdomain } from '@binnacle/apimachinery/validation';
import {
  LATEST_VERSION,
  LEVEL_FAULT,
  type LevelVersion,
  parseLevel,
  parseMinor,
  type PodSecuritySettings,
  VERSION_FAULT,
} from '../admission/index.js';

interface PodSecurityFile {
  readonly defaults?: Readonly<Record<string, string>>;
  readonly exemptions?: {
    readonly usernames?: readonly string[];
    readonly namespaces?: readonly string[];
    readonly runtimeClasses?: readonly string[];
  };
}

const configuration = kind('v1.PodSecurityConfiguration', {
  defaults: nested(
    struct('v1.PodSecurityDefaults', {
      enforce: text,
      'enforce-version': text,
      audit: text,
      'audit-version': text,
      warn: text,
      'warn-version': text,
    }),
  ),
  exemptions: nested(
    struct('v1.PodSecurityExemptions', { usernames: texts, namespaces: texts, runtimeClasses: texts }),
  ),
});
/** The versions have the same fields. */
const kinds = new Map(
  ['v1', 'v1beta1', 'v1alpha1'].map((version) => [
    `pod-security.admission.config.k8s.io/${version}/PodSecurityConfiguration`,
    configuration,
  ]),
);

/** Throws a {@link ConfigurationError}. Upstream: pod-security-admission `admission/api`. */
export function readPodSecurity(source: string): PodSecuritySettings {
  const { defaults = {}, exemptions = {} }: PodSecurityFile = readConfiguration(source, kinds);
  const errors: FieldError[] = [];
  const levelOf = (mode: string): LevelVersion => readLevel(defaults, mode, errors);
  const [enforce, warn, audit] = [levelOf('enforce'), levelOf('warn'), levelOf('audit')];
  const setOf = (field: keyof typeof exemptions, problemsOf: (value: string) => readonly string[]) =>
    readSet(exemptions[field] ?? [], `exemptions.${field}`, problemsOf, errors);
  const namespaces = setOf('namespaces', validateDns1123Label);
  const runtimeClasses = setOf('runtimeClasses', validateDns1123Subdomain);
  const usernames = setOf('usernames', (name) => (name === '' ? ['username must not be empty'] : []));
  if (errors.length > 0) throw new ConfigurationError(formatFieldErrors(errors));
  return { defaults: { enforce, audit, warn }, exemptions: { namespaces, runtimeClasses, usernames } };
}

function readLevel(defaults: Readonly<Record<string, string>>, mode: string, errors: FieldError[]): LevelVersion {
  const given = defaults[mode] || 'privileged';
  const version = defaults[`${mode}-version`] || 'latest';
  const level = parseLevel(given);
  if (level === undefined) errors.push(invalidValue(`defaults.${mode}`, given, LEVEL_FAULT));
  const minor = parseMinor(version);
  if (minor === undefined) errors.push(invalidValue(`defaults.${mode}-version`, version, VERSION_FAULT));
  return { level: level ?? 'restricted', minor: minor ?? LATEST_VERSION };
}

function readSet(
  values: readonly string[],
  field: string,
  problemsOf: (value: string) => readonly string[],
  errors: FieldError[],
): ReadonlySet<string> {
  const set = new Set<string>();
  for (const [index, value] of values.entries()) {
    const problems = problemsOf(value);
    if (problems.length > 0) errors.push(invalidValue(`${field}[${index}]`, value, problems.join(', ')));
    else if (set.has(value)) errors.push(duplicate(`${field}[${index}]`, value));
    else set.add(value);
  }
  return set;
}
