import { quoteGo } from '../status/index.js';
import { type Problems, unplaced } from './problems.js';
import type { SchemaNode, ValueLimits } from './schema-node.js';
import type { Place } from './validate-scalar.js';

/** Validates the value against an alternative. */
export type Attempt = (alternative: SchemaNode) => Problems;

/** Validates anyOf, oneOf, allOf and not. Upstream: kube-openapi `validate/schema_props.go`. */
export function validateAlternatives(limits: ValueLimits, attempt: Attempt, place: Place): void {
  if (limits.anyOf.length > 0) anyOf(limits.anyOf, attempt, place);
  if (limits.oneOf.length > 0) oneOf(limits.oneOf, attempt, place);
  if (limits.allOf.length > 0) allOf(limits.allOf, attempt, place);
  if (limits.not !== undefined && attempt(limits.not).count === 0)
    refuseAll('must not validate the schema (not)', place);
}

/** If all fail, also reports the problems of the one that comes closest. */
function anyOf(nodes: readonly SchemaNode[], attempt: Attempt, place: Place): void {
  let best: Problems | undefined;
  for (const node of nodes) {
    const result = attempt(node);
    if (result.count === 0) {
      place.problems.merge(result);
      return;
    }
    if (best === undefined || result.matches > best.matches) best = result;
  }
  refuseAll('must validate at least one schema (anyOf)', place);
  if (best !== undefined) place.problems.merge(best);
}

function oneOf(nodes: readonly SchemaNode[], attempt: Attempt, place: Place): void {
  const results = nodes.map(attempt);
  const valid = results.filter((result) => result.count === 0);
  const [first] = valid;
  if (valid.length === 1 && first !== undefined) {
    place.problems.merge(first);
    return;
  }
  const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
  refuseAll(`must validate one and only one schema (oneOf). ${found}`, place);
  if (valid.length > 0) return;
  const best = results.reduce((chosen, result) => (result.matches > chosen.matches ? result : chosen));
  place.problems.merge(best);
}

function allOf(nodes: readonly SchemaNode[], attempt: Attempt, place: Place): void {
  let valid = 0;
  for (const node of nodes) {
    const result = attempt(node);
    if (result.count === 0) valid++;
    place.problems.merge(result);
  }
  if (valid === nodes.length) return;
  refuseAll(`must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`, place);
}

/** A problem of the alternatives together. */
function refuseAll(what: string, { base, path, problems }: Place): void {
  const text = `${quoteGo(path)} ${what}`;
  problems.add(text, () => unplaced(base, text));
}
