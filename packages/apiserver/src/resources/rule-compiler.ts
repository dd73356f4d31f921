import type { RuleCompiler } from '@binnacle/apimachinery/structural';

let loaded: RuleCompiler | undefined;

/** What compiles the rules of schemas. Their language is large and most servers never see a definition: the first one brings it. */
export async function loadRuleCompiler(): Promise<RuleCompiler> {
  loaded ??= (await import('@binnacle/apimachinery/schema-rules')).schemaRuleCompiler;
  return loaded;
}

/** The same, once {@link loadRuleCompiler} has settled; throws before. */
export function loadedRuleCompiler(): RuleCompiler {
  if (loaded === undefined) throw new Error('the compiler of rules is asked for before it is loaded');
  return loaded;
}
