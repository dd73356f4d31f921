import type { SchemaNode } from '../structural/index.js';
import type { Steps } from '../work/index.js';
import { compileRulesInSteps, type CompiledRule } from './compile-rule.js';
import { declaredType, type DeclaredType } from './declared-type.js';
import { asResourceSchema } from './resource-schema.js';

/** The rules of a schema by level; omits levels without rules at or below them. */
export interface RuleTree {
  /** As expressions see it. */
  readonly schema: SchemaNode;
  /** Undefined until {@link compileRules} has run. */
  readonly rules: readonly CompiledRule[] | undefined;
  /** Called on first use: a schema can have many rules, and an object has values at few of its levels. */
  compileRules(): Steps<readonly CompiledRule[]>;
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly additionalProperties: RuleTree | undefined;
}

/**
 * Compiles the rules of a schema and everything below it; undefined without rules. `isResource`: the schema of a whole
 * object. Upstream: apiextensions `cel.NewValidator`.
 */
export function compileRuleTree(schema: SchemaNode, isResource: boolean): RuleTree | undefined {
  if (!schema.hasRules) return undefined;
  return compileLevel(schema, declaredType(schema, isResource), isResource);
}

function compileLevel(
  schema: SchemaNode,
  declared: DeclaredType | undefined,
  isResource: boolean,
): RuleTree | undefined {
  if (declared === undefined || !schema.hasRules) return undefined;
  const { items, additionalProperties: values } = schema;
  const properties = new Map<string, RuleTree>();
  for (const [name, property] of schema.properties) {
    const tree = compileLevel(property, declared.properties?.get(name), property.embeddedResource);
    if (tree !== undefined) properties.set(name, tree);
  }
  let rules: readonly CompiledRule[] | undefined = schema.rules.length === 0 ? [] : undefined;
  return {
    schema: isResource ? asResourceSchema(schema) : schema,
    get rules() {
      return rules;
    },
    *compileRules() {
      return (rules ??= yield* compileRulesInSteps(schema, declared));
    },
    items: items && compileLevel(items, declared.elements, items.embeddedResource),
    properties,
    additionalProperties:
      typeof values === 'object' ? compileLevel(values, declared.elements, values.embeddedResource) : undefined,
  };
}
