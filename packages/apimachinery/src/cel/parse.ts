import { finish, type Steps } from '../work/index.js';
import { dottedName } from './dotted-name.js';
import { FIELD_STARTERS, isIn, starters, startsExpression } from './expected-tokens.js';
import { literalOf } from './literal-of.js';
import { expandMacro } from './macros.js';
import {
  CONDITIONAL,
  INDEX,
  LOGICAL_AND,
  LOGICAL_NOT,
  LOGICAL_OR,
  NEGATE,
  OPTIONAL_INDEX,
  OPTIONAL_SELECT,
  PRODUCTS,
  RELATIONS,
  SUMS,
} from './operators.js';
import { RESERVED_WORDS } from './reserved-words.js';
import { SourceError, type SourceProblem } from './source-error.js';
import type { Call, Entry, Expression } from './syntax-tree.js';
import { type Token, TokenError, tokenize } from './tokens.js';

/** Upstream: cel-go `parser/options.go`. */
const LONGEST_SOURCE = 100_000;
const DEEPEST = 250;

/** Upstream: cel-go `common/errors.go`. */
const MOST_PROBLEMS = 100;

/** Reserved words that are not even allowed after a dot. */
const KEYWORDS = new Set(['false', 'in', 'null', 'true']);

/**
 * Parses an expression and expands its macros, with `bindings` also `cel.bind`. Throws `SourceError`. The length of the
 * source bounds the cost.
 */
export function parseExpression(source: string, options?: { readonly bindings?: boolean }): Expression {
  return finish(parseExpressionInSteps(source, options));
}

/** {@link parseExpression} in two steps. */
export function* parseExpressionInSteps(
  source: string,
  { bindings = false }: { readonly bindings?: boolean } = {},
): Steps<Expression> {
  if (source.length > LONGEST_SOURCE && Array.from(source).length > LONGEST_SOURCE) {
    const message = `expression code point size exceeds limit: size: ${Array.from(source).length}, limit ${LONGEST_SOURCE}`;
    throw new SourceError(source, [{ position: 0, message }]);
  }
  const { tokens, problems } = tokenize(source);
  yield;
  const parser = new Parser(source, tokens, bindings);
  try {
    const expression = parser.parse();
    if (problems.length + parser.problems.length === 0) return expression;
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    problems.push({ position: error.position, message: error.message });
  }
  throw new SourceError(source, [...problems, ...parser.problems].slice(0, MOST_PROBLEMS));
}

/** Recursive descent, one method for each rule of the grammar in cel-spec `doc/langdef.md`. */
class Parser {
  /** Problems that do not stop the parser. */
  readonly problems: SourceProblem[] = [];
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #bindings: boolean;
  #at = 0;
  #depth = 0;

  constructor(source: string, tokens: readonly Token[], bindings: boolean) {
    this.#source = source;
    this.#tokens = tokens;
    this.#bindings = bindings;
  }

  parse(): Expression {
    const expression = this.#expression();
    const rest = this.#peek();
    if (rest.kind === 'end') return expression;
    if (this.#tokens[this.#at + 1]?.kind === 'end') throw this.#extraneous(rest, '<EOF>');
    throw this.#unexpected('<EOF>');
  }

  #expression(): Expression {
    if (++this.#depth > DEEPEST) {
      throw new TokenError(this.#peek().position, `expression recursion limit exceeded: ${DEEPEST}`);
    }
    const condition = this.#logical('||', LOGICAL_OR, () =>
      this.#logical('&&', LOGICAL_AND, () => this.#binary(RELATIONS, () => this.#sum())),
    );
    const question = this.#accept('?');
    if (question === undefined) {
      this.#depth--;
      return condition;
    }
    const yes = this.#logical('||', LOGICAL_OR, () =>
      this.#logical('&&', LOGICAL_AND, () => this.#binary(RELATIONS, () => this.#sum())),
    );
    this.#expect(':');
    const no = this.#expression();
    this.#depth--;
    return call(question.position, CONDITIONAL, [condition, yes, no]);
  }

  /** Balances a chain of one logical operator, so that its depth is logarithmic in its length. */
  #logical(symbol: string, name: string, operand: () => Expression): Expression {
    const terms = [operand()];
    const positions: number[] = [];
    for (let found = this.#accept(symbol); found !== undefined; found = this.#accept(symbol)) {
      positions.push(found.position);
      terms.push(operand());
    }
    return balance(name, terms, positions, 0, terms.length);
  }

  #sum(): Expression {
    return this.#binary(SUMS, () => this.#binary(PRODUCTS, () => this.#unary()));
  }

  #binary(operators: ReadonlyMap<string, string>, operand: () => Expression): Expression {
    const before = this.#depth;
    let left = operand();
    for (;;) {
      const token = this.#peek();
      const name = token.kind === 'symbol' || isIn(token) ? operators.get(token.text) : undefined;
      if (name === undefined) break;
      this.#at++;
      this.#deeper(token);
      left = call(token.position, name, [left, operand()]);
    }
    this.#depth = before;
    return left;
  }

  #unary(): Expression {
    const first = this.#peek();
    const not = this.#acceptSymbols('!');
    if (not > 0) {
      const operand = this.#member(false);
      return not % 2 === 0 ? operand : call(first.position, LOGICAL_NOT, [operand]);
    }
    const minus = this.#acceptSymbols('-');
    if (minus === 0) return this.#member(false);
    const next = this.#peek();
    const isNumber = next.kind === 'int' || next.kind === 'double';
    const operand = this.#member(isNumber);
    const negations = isNumber ? minus - 1 : minus;
    return negations % 2 === 0 ? operand : call(first.position, NEGATE, [operand]);
  }

  #member(negative: boolean): Expression {
    const before = this.#depth;
    let operand = this.#primary(negative);
    for (;;) {
      const token = this.#peek();
      if (token.kind !== 'symbol') break;
      if (token.text === '.') operand = this.#selection(operand);
      else if (token.text === '[') operand = this.#index(operand);
      else if (token.text === '{') {
        const name = dottedName(operand);
        if (name === undefined) break;
        operand = this.#message(name);
      } else break;
      this.#deeper(token);
    }
    this.#depth = before;
    return operand;
  }

  #selection(operand: Expression): Expression {
    const dot = this.#expect('.');
    const optional = this.#accept('?') !== undefined;
    const name = this.#peek();
    if (name.kind !== 'identifier' || KEYWORDS.has(name.text)) throw this.#noField(dot, name);
    this.#at++;
    if (optional) {
      const field: Expression = {
        kind: 'literal',
        position: name.position,
        value: { type: 'string', value: name.text },
      };
      return call(dot.position, OPTIONAL_SELECT, [operand, field]);
    }
    const open = this.#accept('(');
    if (open === undefined) {
      return { kind: 'select', position: dot.position, operand, field: name.text, presence: false };
    }
    return expandMacro(call(open.position, name.text, this.#list(')'), operand), this.#bindings);
  }

  #index(operand: Expression): Expression {
    const open = this.#expect('[');
    const optional = this.#accept('?') !== undefined;
    const index = this.#expression();
    this.#expect(']');
    return call(open.position, optional ? OPTIONAL_INDEX : INDEX, [operand, index]);
  }

  #primary(negative: boolean): Expression {
    const token = this.#peek();
    const { position } = token;
    if (token.kind === 'symbol') return this.#primarySymbol(token);
    if (token.kind === 'identifier' && !KEYWORDS.has(token.text)) return this.#name('');
    if (token.kind === 'end' || isIn(token)) return this.#noExpression(token);
    this.#at++;
    return { kind: 'literal', position: negative ? position - 1 : position, value: literalOf(token, negative) };
  }

  #primarySymbol(token: Token): Expression {
    const { position } = token;
    if (this.#accept('(') !== undefined) {
      const inner = this.#expression();
      this.#expect(')');
      return inner;
    }
    if (this.#accept('[') !== undefined) {
      const optional = new Set<number>();
      const elements = this.#items(']', starters(']'), (index) => {
        if (this.#accept('?') !== undefined) optional.add(index);
        return this.#expression();
      });
      return { kind: 'list', position, elements, optional };
    }
    if (this.#accept('{') !== undefined) {
      const entries = this.#items('}', starters('}'), () => this.#entry(() => this.#expression()));
      return { kind: 'map', position, entries };
    }
    if (this.#isNext('.') && this.#tokens[this.#at + 1]?.kind === 'identifier') {
      this.#at++;
      return this.#name('.');
    }
    return this.#noExpression(token);
  }

  /** A token where an expression should begin. If one begins right behind it, the parser continues there. */
  #noExpression(token: Token): Expression {
    const next = this.#tokens[this.#at + 1];
    if (token.kind !== 'end' && next !== undefined && startsExpression(next)) {
      this.#report(this.#extraneous(token, starters('')));
      this.#at++;
      return this.#unary();
    }
    const problem = this.#unexpected(starters(''));
    if (!isIn(token)) throw problem;
    // The operator remains, with nothing before it.
    this.#report(problem);
    return { kind: 'literal', position: token.position, value: { type: 'null' } };
  }

  #report({ position, message }: TokenError): void {
    this.problems.push({ position, message });
  }

  /** Parses a variable or a global function. */
  #name(leadingDot: string): Expression {
    const token = this.#next();
    if (RESERVED_WORDS.has(token.text)) {
      this.#report(new TokenError(token.position, `reserved identifier: ${token.text}`));
    }
    const name = `${leadingDot}${token.text}`;
    const open = this.#accept('(');
    if (open === undefined) return { kind: 'identifier', position: token.position, name };
    return expandMacro(call(open.position, name, this.#list(')')));
  }

  #message(name: string): Expression {
    const { position } = this.#expect('{');
    const fields = this.#items('}', FIELD_STARTERS, () =>
      this.#entry(() => {
        const token = this.#next();
        if (token.kind !== 'identifier') throw this.#unexpected('IDENTIFIER', token);
        return token.text;
      }),
    );
    return { kind: 'message', position, name, fields };
  }

  #entry<Key>(readKey: () => Key): Entry<Key> {
    const optional = this.#accept('?') !== undefined;
    const key = readKey();
    const { position } = this.#colon();
    return { position, key, value: this.#expression(), optional };
  }

  /** A missing colon before an expression is a problem that does not stop the parser. */
  #colon(): Token {
    const token = this.#peek();
    if (this.#isNext(':') || !startsExpression(token)) return this.#expect(':');
    this.#report(new TokenError(token.position, `Syntax error: missing ':' at '${token.written}'`));
    return token;
  }

  #list(end: ')'): Expression[] {
    return this.#items(end, starters(')'), () => this.#expression(), false);
  }

  /** Parses items separated by commas up to `end`. A trailing comma is allowed, except in calls. */
  #items<Item>(end: string, first: string, read: (index: number) => Item, trailing = true): Item[] {
    const items: Item[] = [];
    if (this.#accept(end) !== undefined) return items;
    if (this.#peek().kind === 'end') throw this.#unexpected(first);
    for (;;) {
      items.push(read(items.length));
      const comma = this.#accept(',');
      if (comma === undefined || (trailing && this.#isNext(end))) {
        if (!this.#isNext(end) && end === '}' && this.#peek().kind !== 'end') throw this.#unexpected("{'}', ','}");
        this.#expect(end);
        return items;
      }
    }
  }

  #deeper(token: Token): void {
    if (++this.#depth > DEEPEST)
      throw new TokenError(token.position, `expression recursion limit exceeded: ${DEEPEST}`);
  }

  #peek(): Token {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new RangeError('read past the last token');
    return token;
  }

  #next(): Token {
    const token = this.#peek();
    if (token.kind === 'end') throw this.#unexpected();
    this.#at++;
    return token;
  }

  #isNext(symbol: string): boolean {
    const token = this.#peek();
    return token.kind === 'symbol' && token.text === symbol;
  }

  #accept(symbol: string): Token | undefined {
    if (!this.#isNext(symbol)) return undefined;
    return this.#next();
  }

  #acceptSymbols(symbol: string): number {
    let count = 0;
    while (this.#accept(symbol) !== undefined) count++;
    return count;
  }

  #expect(symbol: string): Token {
    const token = this.#accept(symbol);
    if (token === undefined) throw this.#unexpected(`'${symbol}'`);
    return token;
  }

  #unexpected(wanted?: string, token = this.#peek()): TokenError {
    const expecting = wanted === undefined ? '' : ` expecting ${wanted}`;
    return new TokenError(token.position, `Syntax error: mismatched input '${token.written}'${expecting}`);
  }

  #extraneous(token: Token, wanted: string): TokenError {
    return new TokenError(token.position, `Syntax error: extraneous input '${token.written}' expecting ${wanted}`);
  }

  /** Neither a field nor a method follows the dot. */
  #noField(dot: Token, token: Token): TokenError {
    const text = this.#source.slice(dot.end - 1, token.end);
    return new TokenError(token.position, `Syntax error: no viable alternative at input '${text.trimEnd()}'`);
  }
}

function call(position: number, name: string, args: readonly Expression[], target?: Expression): Call {
  return { kind: 'call', position, name, target, arguments: args };
}

/** A balanced tree of the terms of a chain, from one index to another. */
function balance(
  name: string,
  terms: readonly Expression[],
  positions: readonly number[],
  from: number,
  to: number,
): Expression {
  const only = terms[from];
  if (only === undefined) throw new RangeError('an empty chain of operators');
  if (to - from === 1) return only;
  const middle = from + Math.ceil((to - from) / 2);
  const left = balance(name, terms, positions, from, middle);
  const right = balance(name, terms, positions, middle, to);
  return call(positions[middle - 1] ?? 0, name, [left, right]);
}
