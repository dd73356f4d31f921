import {
  type CompiledExpression,
  type ExpressionProblem,
  isCompiled,
} from '@binnacle/apimachinery/admission-expressions';
import { parseExpression } from '@binnacle/apimachinery/cel';
import { duplicate, type FieldError, internalFieldError, invalidValue, required } from '@binnacle/apimachinery/status';
import { validateDomainPrefixedPath } from '@binnacle/apimachinery/validation';
import type {
  ClaimMappings,
  ClaimOrExpression,
  ClaimValidationRule,
  ExtraMapping,
  PrefixedClaimOrExpression,
  UserValidationRule,
} from './configuration.js';
import { compileCondition, compileMapping, readsClaim } from './expressions.js';
import type { Condition, IssuerRules, Mapping } from './issuer-rules.js';

const BOTH = "claim and expression can't both be set";
const RESERVED = 'k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use';
const NEEDS_VERIFIED =
  'claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression';

/**
 * Validates the rules of one issuer and compiles their expressions. The faults are in `errors`.
 * Upstream: apiserver `pkg/apis/apiserver/validation`.
 */
export class RuleReader {
  readonly errors: FieldError[] = [];

  claimRules(
    rules: readonly ClaimValidationRule[],
    path: string,
  ): Pick<IssuerRules, 'requiredClaims' | 'claimConditions'> {
    const requiredClaims = new Map<string, string>();
    const conditions: Condition[] = [];
    const seen = new Set<string>();
    for (const [index, { claim = '', requiredValue = '', expression = '', message = '' }] of rules.entries()) {
      const at = `${path}[${index}]`;
      if (claim !== '' && expression !== '') this.#add(invalidValue(at, claim, BOTH));
      else if (claim !== '') {
        if (message !== '') this.#add(invalidValue(`${at}.message`, message, 'may not be specified when claim is set'));
        if (requiredClaims.has(claim)) this.#add(duplicate(`${at}.claim`, claim));
        requiredClaims.set(claim, requiredValue);
      } else if (expression !== '') {
        if (requiredValue !== '') {
          const detail = 'may not be specified when expression is set';
          this.#add(invalidValue(`${at}.requiredValue`, requiredValue, detail));
        }
        conditions.push(...this.#condition(expression, message, 'claims', `${at}.expression`, seen));
      } else this.#add(required(at, 'claim or expression is required'));
    }
    return { requiredClaims, claimConditions: conditions };
  }

  mappings(
    { username = {}, groups = {}, uid = {}, extra = [] }: ClaimMappings,
    path: string,
    claimConditions: readonly Condition[],
  ): Pick<IssuerRules, 'username' | 'groups' | 'uid' | 'extra'> {
    const user = this.#prefixed(username, `${path}.username`, true);
    const found = {
      username: user ?? { claim: '', prefix: '' },
      groups: this.#prefixed(groups, `${path}.groups`, false),
      uid: this.#uid(uid, `${path}.uid`),
      extra: this.#extra(extra, `${path}.extra`),
    };
    const reading = user !== undefined && 'expression' in user ? user.expression : undefined;
    const others = [...claimConditions.map((each) => each.expression), ...found.extra.map(({ value }) => value)];
    const isVerified = [reading, ...others].some(
      (each) => each && readsClaim(parseExpression(each.source), 'email_verified'),
    );
    if (reading !== undefined && readsClaim(parseExpression(reading.source), 'email') && !isVerified) {
      this.#add(invalidValue(`${path}.username.expression`, reading.source, NEEDS_VERIFIED));
    }
    return found;
  }

  userRules(rules: readonly UserValidationRule[], path: string): readonly Condition[] {
    const seen = new Set<string>();
    return rules.flatMap(({ expression = '', message = '' }, index) => {
      const at = `${path}[${index}].expression`;
      if (expression !== '') return this.#condition(expression, message, 'user', at, seen);
      this.#add(required(at, ''));
      return [];
    });
  }

  #condition(
    source: string,
    message: string,
    about: 'claims' | 'user',
    path: string,
    seen: Set<string>,
  ): readonly Condition[] {
    if (seen.has(source)) {
      this.#add(duplicate(path, source));
      return [];
    }
    seen.add(source);
    const expression = this.#compiled(compileCondition(source, about), path);
    return expression === undefined ? [] : [{ expression, message }];
  }

  #prefixed(mapping: PrefixedClaimOrExpression, path: string, isRequired: boolean): Mapping | undefined {
    const { claim = '', prefix, expression = '' } = mapping;
    if (expression !== '' && claim !== '') this.#add(invalidValue(path, '', BOTH));
    else if (expression !== '') {
      if (prefix !== undefined) {
        this.#add(invalidValue(`${path}.prefix`, prefix, 'may not be specified when expression is set'));
      }
      return this.#mapped(expression, `${path}.expression`);
    } else if (claim !== '') {
      if (prefix === undefined) {
        const detail = 'prefix is required when claim is set. It can be set to an empty string to disable prefixing';
        this.#add(required(`${path}.prefix`, detail));
      }
      return { claim, prefix: prefix ?? '' };
    } else if (isRequired) this.#add(required(path, 'claim or expression is required'));
    return undefined;
  }

  #uid({ claim = '', expression = '' }: ClaimOrExpression, path: string): Mapping | undefined {
    if (claim !== '' && expression !== '') this.#add(invalidValue(path, '', BOTH));
    else if (expression !== '') return this.#mapped(expression, `${path}.expression`);
    return claim === '' ? undefined : { claim, prefix: '' };
  }

  #extra(mappings: readonly ExtraMapping[], path: string): IssuerRules['extra'] {
    const seen = new Set<string>();
    return mappings.flatMap(({ key = '', valueExpression = '' }, index) => {
      const at = `${path}[${index}]`;
      this.#add(...validateDomainPrefixedPath(key, `${at}.key`));
      if (key !== key.toLowerCase()) this.#add(invalidValue(`${at}.key`, key, 'must be lowercase'));
      if (/^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key)) this.#add(invalidValue(`${at}.key`, key, RESERVED));
      if (seen.has(key)) {
        this.#add(duplicate(`${at}.key`, key));
        return [];
      }
      seen.add(key);
      if (valueExpression === '') {
        this.#add(required(`${at}.valueExpression`, ''));
        return [];
      }
      const value = this.#compiled(compileMapping(valueExpression), `${at}.valueExpression`);
      return value === undefined ? [] : [{ key, value }];
    });
  }

  #mapped(source: string, path: string): Mapping | undefined {
    const expression = this.#compiled(compileMapping(source), path);
    return expression === undefined ? undefined : { expression };
  }

  #compiled(compiled: CompiledExpression | ExpressionProblem, path: string): CompiledExpression | undefined {
    if (isCompiled(compiled)) return compiled;
    const { source, problem, internal } = compiled;
    this.#add(internal ? internalFieldError(path, problem) : invalidValue(path, source, problem));
    return undefined;
  }

  #add(...errors: readonly FieldError[]): void {
    this.errors.push(...errors);
  }
}
