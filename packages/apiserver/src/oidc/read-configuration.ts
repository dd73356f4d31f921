import { ConfigurationError, readConfiguration } from '@binnacle/apimachinery/configuration';
import { duplicate, type FieldError, formatFieldErrors, invalidValue, tooMany } from '@binnacle/apimachinery/status';
import { type AnonymousRules, type AuthenticationFile, type JwtAuthenticator, kinds } from './configuration.js';
import { ALL_ALGORITHMS, type AnonymousPaths, type AuthenticationRules, type IssuerRules } from './issuer-rules.js';
import { validateIssuer } from './validate-issuer.js';
import { RuleReader } from './validate-rules.js';

const MOST_ISSUERS = 64;

/**
 * Reads the text of an AuthenticationConfiguration, YAML or JSON. `disallowed`: the issuers of service account tokens.
 * Throws a {@link ConfigurationError} in upstream's words.
 */
export function readAuthenticationConfiguration(text: string, disallowed: readonly string[]): AuthenticationRules {
  // The schema has the fields of this type.
  const file: AuthenticationFile = readConfiguration(text, kinds);
  return authenticationRules(file, disallowed, ALL_ALGORITHMS);
}

/** The rules of a configuration. Throws a {@link ConfigurationError}. */
export function authenticationRules(
  { jwt = [], anonymous }: AuthenticationFile,
  disallowed: readonly string[],
  algorithms: readonly string[],
): AuthenticationRules {
  const errors: FieldError[] = jwt.length > MOST_ISSUERS ? [tooMany('jwt', jwt.length, MOST_ISSUERS)] : [];
  const issuers = jwt.slice(0, MOST_ISSUERS).map((each, index) => {
    const path = `jwt[${index}]`;
    const earlier = jwt.slice(0, index);
    const read = issuerRules(each, path, disallowed, algorithms);
    errors.push(...read.errors, ...repetitions(each, earlier, `${path}.issuer`));
    return read.rules;
  });
  errors.push(...anonymousErrors(anonymous));
  if (errors.length > 0) {
    throw new ConfigurationError(`invalid authentication configuration: ${formatFieldErrors(errors)}`);
  }
  return { issuers, anonymous: anonymous && anonymousPaths(anonymous) };
}

function issuerRules(
  { issuer = {}, claimValidationRules = [], claimMappings = {}, userValidationRules = [] }: JwtAuthenticator,
  path: string,
  disallowed: readonly string[],
  algorithms: readonly string[],
): { readonly rules: IssuerRules; readonly errors: readonly FieldError[] } {
  const reader = new RuleReader();
  reader.errors.push(...validateIssuer(issuer, `${path}.issuer`, disallowed));
  const claims = reader.claimRules(claimValidationRules, `${path}.claimValidationRules`);
  const rules: IssuerRules = {
    url: issuer.url ?? '',
    discoveryUrl: issuer.discoveryURL || undefined,
    certificateAuthority: issuer.certificateAuthority || undefined,
    audiences: issuer.audiences ?? [],
    algorithms,
    ...claims,
    ...reader.mappings(claimMappings, `${path}.claimMappings`, claims.claimConditions),
    userConditions: reader.userRules(userValidationRules, `${path}.userValidationRules`),
  };
  return { rules, errors: reader.errors };
}

function repetitions({ issuer }: JwtAuthenticator, earlier: readonly JwtAuthenticator[], path: string): FieldError[] {
  const { url = '', discoveryURL = '' } = issuer ?? {};
  const others = earlier.map((each) => each.issuer ?? {});
  return [
    ...(others.some((other) => (other.url ?? '') === url) ? [duplicate(`${path}.url`, url)] : []),
    ...(discoveryURL !== '' && others.some((other) => other.discoveryURL === discoveryURL)
      ? [duplicate(`${path}.discoveryURL`, discoveryURL)]
      : []),
  ];
}

function anonymousErrors({ enabled = false, conditions = [] }: AnonymousRules = {}): FieldError[] {
  if (enabled || conditions.length === 0) return [];
  const detail = 'enabled should be set to true when conditions are defined';
  return [invalidValue('anonymous.conditions', conditions, detail)];
}

function anonymousPaths({ enabled = false, conditions = [] }: AnonymousRules): AnonymousPaths {
  const paths = conditions.length === 0 ? undefined : new Set(conditions.map(({ path = '' }) => path));
  return { enabled, paths };
}
