import { fieldErrorDetail, invalidValue } from '../status/index.js';
import { validateLabelKey } from '../validation/index.js';
import { LabelSelectorError } from './error.js';
import { type Token, type TokenKind, tokenize } from './lexer.js';
import { binaryOperators, type LabelOperator, LabelRequirement } from './requirement.js';
import { everything, LabelSelector } from './selector.js';

/**
 * Parses a selector such as `app=web,tier in (a,b),!canary,n>4`. Throws a {@link LabelSelectorError} with upstream's
 * message. Upstream: apimachinery `labels.Parse`.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = new Parser(tokenize(text)).parse();
  return requirements.length === 0 ? everything : new LabelSelector(requirements);
}

const end: Token = { kind: 'end', text: '' };

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const first = this.#peek();
      if (first.kind === 'end') return requirements;
      if (!startsRequirement(first)) {
        throw new LabelSelectorError(`found '${first.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirement());
      const separator = this.#next();
      if (separator.kind === 'end') return requirements;
      if (separator.kind !== ',') {
        throw new LabelSelectorError(`found '${separator.text}', expected: ',' or 'end of string'`);
      }
      const following = this.#peek();
      if (!startsRequirement(following)) {
        throw new LabelSelectorError(`found '${following.text}', expected: identifier after ','`);
      }
    }
  }

  #requirement(): LabelRequirement {
    try {
      return this.#readRequirement();
    } catch (error) {
      if (!(error instanceof LabelSelectorError)) throw error;
      throw new LabelSelectorError(`unable to parse requirement: ${error.message}`, { cause: error });
    }
  }

  #readRequirement(): LabelRequirement {
    let token = this.#next();
    const negated = token.kind === '!';
    if (negated) token = this.#next();
    if (!isWord(token)) throw new LabelSelectorError(`found '${token.text}', expected: identifier`);
    const key = token.text;
    const problems = validateLabelKey(key);
    if (problems.length > 0) {
      // Upstream prints a nil path here.
      throw new LabelSelectorError(`<nil>: ${fieldErrorDetail(invalidValue('', key, problems.join('; ')))}`);
    }
    if (negated) return new LabelRequirement(key, '!', []);
    const following = this.#peek().kind;
    if (following === 'end' || following === ',') return new LabelRequirement(key, 'exists', []);
    const operator = this.#operator();
    const values = operator === 'in' || operator === 'notin' ? this.#values() : [this.#exactValue()];
    return new LabelRequirement(key, operator, values);
  }

  #operator(): LabelOperator {
    const token = this.#next();
    const operator = operators.get(token.kind);
    if (operator === undefined) {
      throw new LabelSelectorError(`found '${token.text}', expected: ${binaryOperators.join(', ')}`);
    }
    return operator;
  }

  #values(): string[] {
    const open = this.#next();
    if (open.kind !== '(') throw new LabelSelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#next();
      return [''];
    }
    if (first.kind !== ',' && !isWord(first)) {
      throw new LabelSelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    return this.#valueList();
  }

  /** Reads values up to and including `)`. A missing value is the empty value. */
  #valueList(): string[] {
    const values = new Set<string>();
    for (;;) {
      const token = this.#next();
      if (isWord(token)) {
        values.add(token.text);
        const following = this.#peek();
        if (following.kind !== ',' && following.kind !== ')') {
          throw new LabelSelectorError(`found '${following.text}', expected: ',' or ')'`);
        }
        if (following.kind === ')') break;
        continue;
      }
      if (token.kind !== ',') throw new LabelSelectorError(`found '${token.text}', expected: ',', or identifier`);
      const following = this.#peek().kind;
      if (values.size === 0 || following === ')' || following === ',') values.add('');
      if (following === ')') break;
    }
    this.#next();
    return [...values].sort();
  }

  #exactValue(): string {
    const following = this.#peek();
    if (following.kind === 'end' || following.kind === ',') return '';
    const token = this.#next();
    if (!isWord(token)) throw new LabelSelectorError(`found '${token.text}', expected: identifier`);
    return token.text;
  }

  #peek(): Token {
    return this.#tokens[this.#position] ?? end;
  }

  #next(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
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
