import { finish, Pace, type Steps } from '../work/index.js';
import { FieldSelectorError } from './error.js';
import { unescapeFieldValue } from './escape.js';
import { everyField, type FieldRequirement, FieldSelector } from './selector.js';

/** A selector has room for a million terms. */
const TERMS_PER_STEP = 5000;

/**
 * Parses a selector such as `metadata.name=a,status.phase!=Running`. Throws a {@link FieldSelectorError} with
 * upstream's message. `validateFieldLabels` checks afterwards which fields a resource supports. Upstream: apimachinery
 * `fields.ParseSelector`.
 */
export function parseFieldSelector(text: string): FieldSelector {
  return finish(parseFieldSelectorInSteps(text));
}

/** The same in steps. */
export function* parseFieldSelectorInSteps(text: string): Steps<FieldSelector> {
  const requirements: FieldRequirement[] = [];
  const pace = new Pace(TERMS_PER_STEP);
  for (const term of splitTerms(text).sort()) {
    if (pace.endsStep()) yield;
    if (term === '') continue;
    const requirement = readTerm(text, term);
    // Upstream reads a term without a field and a value as no requirement.
    if (requirement.field !== '' || requirement.value !== '') requirements.push(requirement);
  }
  return requirements.length === 0 ? everyField : new FieldSelector(requirements);
}

/** Splits at unescaped commas. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index++;
    if (character !== ',') continue;
    terms.push(text.slice(start, index));
    start = index + 1;
  }
  terms.push(text.slice(start));
  return terms;
}

function readTerm(text: string, term: string): FieldRequirement {
  const match = /!=|==?/.exec(term);
  if (match === null) throw new FieldSelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
  return {
    field: term.slice(0, match.index),
    operator: match[0] === '!=' ? '!=' : '=',
    value: unescapeFieldValue(term.slice(match.index + match[0].length)),
  };
}
