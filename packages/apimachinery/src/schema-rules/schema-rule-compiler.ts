import type { JsonObject, JsonValue } from '../json/index.js';
import type { FieldError } from '../status/index.js';
import {
  Correlation,
  type RuleCompiler,
  type RuleObserver,
  type SchemaNode,
  type SchemaRules,
} from '../structural/index.js';
import type { Steps } from '../work/index.js';
import { OBJECT_COST_LIMIT } from './limits.js';
import { Ratchet } from './ratchet.js';
import { RuleEvaluation } from './rule-evaluation.js';
import { ruleProblems } from './rule-problems.js';
import { compileRuleTree, type RuleTree } from './rule-tree.js';

/** Compiles `x-kubernetes-validations`, rules in the Common Expression Language. */
export const schemaRuleCompiler: RuleCompiler = {
  compile(schema, observer) {
    const tree = compileRuleTree(schema, true);
    return tree && new CompiledSchemaRules(tree, schema, observer);
  },
  problems: ruleProblems,
  defaultValidator() {
    let budget = OBJECT_COST_LIMIT;
    return function* (value, schema, path, isResource) {
      const tree = budget < 0 ? undefined : compileRuleTree(schema, isResource);
      if (tree === undefined) return [];
      const spent = yield* validateDefault(value, tree, path, budget);
      budget = spent.remaining;
      return spent.errors;
    };
  },
};

class CompiledSchemaRules implements SchemaRules {
  readonly #tree: RuleTree;
  readonly #schema: SchemaNode;
  readonly #observer: RuleObserver | undefined;

  constructor(tree: RuleTree, schema: SchemaNode, observer: RuleObserver | undefined) {
    this.#tree = tree;
    this.#schema = schema;
    this.#observer = observer;
  }

  *validate(
    object: Readonly<JsonObject>,
    old: Readonly<JsonObject> | undefined,
    pass?: (error: FieldError) => void,
  ): Steps<FieldError[]> {
    const evaluation = new RuleEvaluation(OBJECT_COST_LIMIT, this.#observer);
    const ratchet =
      old === undefined ? Ratchet.NONE : new Ratchet(new Correlation(this.#schema, object, old), undefined);
    const done = this.#observer?.evaluating();
    yield* evaluation.visit(this.#tree, { value: object, old, path: '', ratchet });
    done?.();
    if (pass !== undefined) for (const error of evaluation.unchanged) pass(error);
    return evaluation.errors;
  }
}

/** A default must satisfy the rules both as an unchanged value and in a new object. */
function* validateDefault(value: JsonValue, tree: RuleTree, path: string, budget: number): Steps<RuleEvaluation> {
  const kept = new RuleEvaluation(budget);
  yield* kept.visit(tree, { value, old: value, path, ratchet: Ratchet.NONE });
  if (kept.errors.length > 0) return kept;
  const given = new RuleEvaluation(budget);
  yield* given.visit(tree, { value, old: undefined, path, ratchet: Ratchet.NONE });
  return given.errors.length > 0 || given.remaining < kept.remaining ? given : kept;
}
