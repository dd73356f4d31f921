import { UNBOUNDED } from '../cel/index.js';
import { type FieldError, forbiddenField, internalFieldError, invalidValue } from '../status/index.js';
import type { RuleProblemOptions, SchemaNode, ValidationRule } from '../structural/index.js';
import type { Steps } from '../work/index.js';
import { type CompiledExpression, type CompiledRule, compileRulesInSteps } from './compile-rule.js';
import { declaredType, type DeclaredType, REQUEST_BYTES } from './declared-type.js';
import { EXPRESSION_ESTIMATE_LIMIT, SCHEMA_ESTIMATE_LIMIT } from './limits.js';

const KEYWORD = 'x-kubernetes-validations';
const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
/** How many of the most expensive expressions to name when the total exceeds the limit. */
const NAMED = 4;

/**
 * The problems of the rules in a schema, at `path` in its definition. Upstream: apiextensions
 * `ValidateCustomResourceDefinitionOpenAPISchema`, `cel_validation.go`.
 */
export function* ruleProblems(schema: SchemaNode, path: string, options: RuleProblemOptions = {}): Steps<FieldError[]> {
  const check = new RuleCheck(options.anyCost === true);
  yield* check.visit({ schema, path, declared: declaredType(schema, true), times: 1, uncorrelatable: undefined });
  return [...check.errors, ...check.totalProblems(path)];
}

interface Level {
  readonly schema: SchemaNode;
  readonly path: string;
  readonly declared: DeclaredType | undefined;
  /** The most times that a value of this level can occur in one object; undefined without a bound. */
  readonly times: number | undefined;
  /** The outermost enclosing list whose items cannot be correlated. */
  readonly uncorrelatable: string | undefined;
}

class RuleCheck {
  readonly errors: FieldError[] = [];
  readonly #anyCost: boolean;
  #total = 0;
  #mostExpensive: { readonly path: string; readonly cost: number }[] = [];

  constructor(anyCost: boolean) {
    this.#anyCost = anyCost;
  }

  *visit(level: Level): Steps<void> {
    const { schema, path, declared, uncorrelatable } = level;
    if (!schema.hasRules) return;
    const { additionalProperties: values, items, lists } = schema;
    const times = timesBelow(level);
    const below = (child: SchemaNode, type: DeclaredType | undefined, step: string, list?: string): Steps<void> =>
      this.visit({
        schema: child,
        path: `${path}.${step}`,
        declared: type ?? declaredType(child, child.embeddedResource),
        times,
        uncorrelatable: uncorrelatable ?? list,
      });
    if (typeof values === 'object') yield* below(values, declared?.elements, 'additionalProperties');
    for (const [name, property] of schema.properties) {
      yield* below(property, declared?.properties?.get(name), `properties[${name}]`);
    }
    if (items !== undefined) yield* below(items, declared?.elements, 'items', lists?.type === 'map' ? undefined : path);
    if (schema.rules.length > 0) yield* this.#checkRules(level);
    yield;
  }

  *#checkRules(level: Level): Steps<void> {
    const { schema, path, declared } = level;
    if (declared === undefined) {
      const detail =
        'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
      this.errors.push(internalFieldError(`${path}.${KEYWORD}`, detail));
      return;
    }
    const times = level.times ?? Math.floor(REQUEST_BYTES / (declared.minimumBytes + 1));
    for (const [index, compiled] of (yield* compileRulesInSteps(schema, declared)).entries()) {
      const place = `${path}.${KEYWORD}[${index}]`;
      const { rule, condition, message } = compiled;
      this.#checkCost(`${place}.rule`, 'estimated rule cost', estimateOf(condition) * times);
      this.#checkCompiled(`${place}.rule`, condition, rule);
      this.#checkCompiled(`${place}.messageExpression`, message, rule);
      if (message !== undefined && 'program' in message) {
        this.#checkCost(`${place}.messageExpression`, 'estimated messageExpression cost', message.estimate);
      }
      this.#checkOldSelf(place, compiled, level);
    }
  }

  #checkCompiled(path: string, expression: CompiledExpression | undefined, rule: ValidationRule): void {
    if (expression === undefined || 'program' in expression) return;
    this.errors.push(invalidValue(path, shownRule(rule), expression.problem));
  }

  #checkCost(path: string, what: string, estimate: number): void {
    const cost = Math.min(estimate, UNBOUNDED);
    if (cost > EXPRESSION_ESTIMATE_LIMIT && !this.#anyCost) {
      this.errors.push(forbiddenField(path, costExceeded(what, cost, EXPRESSION_ESTIMATE_LIMIT)));
    }
    this.#total = Math.min(this.#total + cost, UNBOUNDED);
    if (cost < SCHEMA_ESTIMATE_LIMIT / 100) return;
    this.#mostExpensive.push({ path, cost });
    this.#mostExpensive = this.#mostExpensive.toSorted((left, right) => right.cost - left.cost).slice(0, NAMED);
  }

  #checkOldSelf(path: string, { rule, usesOldSelf }: CompiledRule, { uncorrelatable }: Level): void {
    if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      this.errors.push(invalidValue(`${path}.optionalOldSelf`, rule.optionalOldSelf, detail));
    }
    if (!usesOldSelf || uncorrelatable === undefined) return;
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`;
    this.errors.push(invalidValue(`${path}.rule`, rule.rule, detail));
  }

  totalProblems(path: string): FieldError[] {
    if (this.#total <= SCHEMA_ESTIMATE_LIMIT) return [];
    const share = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema';
    return [
      ...this.#mostExpensive.map((expression) => forbiddenField(expression.path, share)),
      forbiddenField(path, costExceeded(what, this.#total, SCHEMA_ESTIMATE_LIMIT)),
    ];
  }
}

function timesBelow({ schema, times }: Level): number | undefined {
  const { type, limits, additionalProperties } = schema;
  if (times === undefined) return undefined;
  const isMap = type === 'object' && additionalProperties !== undefined;
  if (!isMap && type !== 'array') return times;
  const most = isMap ? limits?.maxProperties : limits?.maxItems;
  return most === undefined ? undefined : times * Math.max(0, most);
}

function estimateOf(expression: CompiledExpression | undefined): number {
  return expression !== undefined && 'program' in expression ? expression.estimate : 0;
}

function costExceeded(what: string, cost: number, limit: number): string {
  const factor = cost / limit;
  const shown = factor > 100 ? 'more than 100' : factor.toFixed(factor < 1.5 ? 6 : 1);
  return `${what} exceeds budget by factor of ${shown}x ${ADVICE}`;
}

/** The rule with the field names of upstream's Go type, as upstream's message shows it. */
function shownRule({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: ValidationRule): object {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason === '' ? null : reason,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}
