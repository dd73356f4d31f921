import type * as definitionValidation from '@binnacle/api/validation/definition';
import type { RuleCompiler } from '@binnacle/apimachinery/structural';

/** Validates definitions of custom resources. */
export interface DefinitionRules {
  readonly validation: typeof definitionValidation;
  /** Compiles the rules in their schemas. */
  readonly compiler: RuleCompiler;
}

let loaded: DefinitionRules | undefined;

/** Loads the rules with the first definition. They are large, above all CEL, and most servers have no definition. */
export async function loadDefinitionRules(): Promise<DefinitionRules> {
  if (loaded !== undefined) return loaded;
  const [validation, { schemaRuleCompiler }] = await Promise.all([
    import('@binnacle/api/validation/definition'),
    import('@binnacle/apimachinery/schema-rules'),
  ]);
  loaded = { validation, compiler: schemaRuleCompiler };
  return loaded;
}

/** The rules, once {@link loadDefinitionRules} has settled; throws before. */
export function loadedDefinitionRules(): DefinitionRules {
  if (loaded === undefined) throw new Error('the rules of definitions are asked for before they are loaded');
  return loaded;
}
