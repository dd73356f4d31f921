import { finish, Pace, type Steps } from '../work/index.js';
import { fieldErrorDetail, invalidValue } from '../status/index.js';
import { validateLabelKey } from '../validation/index.js';
import { LabelSelectorError } from './error.js';
import { Lexer, type Token, type TokenKind } from './lexer.js';
import { binaryOperators, type LabelOperator, LabelRequirement } from './requirement.js';
import { everything, LabelSelector } from './selector.js';

/** Requirements and values that are parsed between two pauses. A long selector has half a million of them. */
const VISITS_PER_STEP = 2000;

/**
 * Parses a selector such as `app=web,tier in (a,b),!canary,n>4`. Throws a {@link LabelSelectorError} with upstream's
 * message. Upstream: apimachinery `labels.Parse`.
 */
export function parseLabelSelector(text: string): LabelSelector {
  return finish(parseLabelSelectorInSteps(text));
}

/** The same in steps. */
export function* parseLabelSelectorInSteps(text: string): Steps<LabelSelector> {
  const requirements: LabelRequirement[] = [];
  yield* new Parser(text, (requirement) => requirements.push(requirement)).parse();
  return requirements.length === 0 ? everything : new LabelSelector(requirements);
}

/** Throws what {@link parseLabelSelector} throws, and keeps no requirement. */
export function* checkLabelSelectorInSteps(text: string): Steps<void> {
  yield* new Parser(text, () => undefined).parse();
}

class Parser {
  readonly #lexer: Lexer;
  readonly #found: (requirement: LabelRequirement) => void;
  readonly #pace = new Pace(VISITS_PER_STEP);

  /** `found` is called with each requirement, in order. */
  constructor(text: string, found: (requirement: LabelRequirement) => void) {
    this.#lexer = new Lexer(text);
    this.#found = found;
  }

  *parse(): Steps<void> {
    for (;;) {
      const first = this.#lexer.peek();
      if (first.kind === 'end') return;
      if (!startsRequirement(first)) {
        throw new LabelSelectorError(`found '${first.text}', expected: !, identifier, or 'end of string'`);
      }
      if (this.#pace.endsStep()) yield;
      this.#found(yield* this.#requirement());
      const separator = this.#lexer.next();
      if (separator.kind === 'end') return;
      if (separator.kind !== ',') {
        throw new LabelSelectorError(`found '${separator.text}', expected: ',' or 'end of string'`);
      }
      const following = this.#lexer.peek();
      if (!startsRequirement(following)) {
        throw new LabelSelectorError(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  *#requirement(): Steps<LabelRequirement> {
    try {
      return yield* this.#readRequirement();
    } catch (error) {
      if (!(error instanceof LabelSelectorError)) throw error;
      throw new LabelSelectorError(`unable to parse requirement: ${error.message}`, { cause: error });
    }
  }

  *#readRequirement(): Steps<LabelRequirement> {
    let token = this.#lexer.next();
    const negated = token.kind === '!';
    if (negated) token = this.#lexer.next();
    if (!isWord(token)) throw new LabelSelectorError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const problems = validateLabelKey(key);
    if (problems.length > 0) {
      // Upstream prints a nil path here.
      throw new LabelSelectorError(`<nil>: ${fieldErrorDetail(invalidValue('', key, problems.join('; ')))}`);
    }
    if (negated) return new LabelRequirement(key, '!', []);
    const following = this.#lexer.peek().kind;
    if (following === 'end' || following === ',') return new LabelRequirement(key, 'exists', []);
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? yield* this.#values() : [this.#exactValue()];
    return new LabelRequirement(key, operator, values);
  }

  #operator(): LabelOperator {
    const token = this.#lexer.next();
    const operator = operators.get(token.kind);
    if (operator === undefined) {
      throw new LabelSelectorError(`found '${token.text}', expected: ${binaryOperators.join(', ')}`);
    }
    return operator;
  }

  *#values(): Steps<string[]> {
    const open = this.#lexer.next();
    if (open.kind !== '(') throw new LabelSelectorError(`found '${open.text}' expected: '('`);
    const first = this.#lexer.peek();
    if (first.kind === ')') {
      this.#lexer.next();
      return [''];
    }
    if (first.kind !== ',' && !isWord(first)) {
      throw new LabelSelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    return yield* this.#valueList();
  }

  /** Reads values up to and including `)`. A missing value is the empty value. */
  *#valueList(): Steps<string[]> {
    const values = new Set<string>();
    for (;;) {
      if (this.#pace.endsStep()) yield;
      const token = this.#lexer.next();
      if (isWord(token)) {
        values.add(token.text);
        const following = this.#lexer.peek();
        if (following.kind !== ',' && following.kind !== ')') {
          throw new LabelSelectorError(`found '${following.text}', expected: ',' or ')'`);
        }
        if (following.kind === ')') break;
        continue;
      }
      if (token.kind !== ',') throw new LabelSelectorError(`found '${token.text}', expected: ',', or identifier`);
      const following = this.#lexer.peek().kind;
      if (values.size === 0 || following === ')' || following === ',') values.add('');
      if (following === ')') break;
    }
    this.#lexer.next();
    return [...values].sort();
  }

  #exactValue(): string {
    const following = this.#lexer.peek();
    if (following.kind === 'end' || following.kind === ',') return '';
    const token = this.#lexer.next();
    if (!isWord(token)) throw new LabelSelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }
}

const operators: ReadonlyMap<TokenKind, LabelOperator> = new Map<TokenKind, LabelOperator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/** In place of a key or a value, `in` and `notin` are ordinary words. */
function isWord(token: Token): boolean {
  return token.kind === 'identifier' || token.kind === 'in' || token.kind === 'notin';
}

function startsRequirement(token: Token): boolean {
  return token.kind === '!' || isWord(token);
}
