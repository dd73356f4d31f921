import type * as definitionValidation from '@binnacle/api/validation/definition';
import type { RuleCompiler } from '@binnacle/apimachinery/structural';

/** What checks definitions of custom resources. */
export interface DefinitionRules {
  readonly validation: typeof definitionValidation;
  /** Compiles the rules of their schemas. */
  readonly compiler: RuleCompiler;
}

let loaded: DefinitionRules | undefined;

/** All of it is large, the language of rules most of all, and most servers never see a definition: the first one brings it. */
export async function loadDefinitionRules(): Promise<DefinitionRules> {
  if (loaded !== undefined) return loaded;
  const [validation, { schemaRuleCompiler }] = await Promise.all([
    import('@binnacle/api/validation/definition'),
    import('@binnacle/apimachinery/schema-rules'),
  ]);
  loaded = { validation, compiler: schemaRuleCompiler };
  return loaded;
}

/** The same, once {@link loadDefinitionRules} has settled; throws before. */
export function loadedDefinitionRules(): DefinitionRules {
  if (loaded === undefined) throw new Error('the rules of definitions are asked for before they are loaded');
  return loaded;
}
