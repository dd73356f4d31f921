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
import { SourceError } from './source-error.js';
import type { Call, Entry, Expression, Identifier, LiteralValue } from './syntax-tree.js';
import { type Token, TokenError, tokenize } from './tokens.js';

/** Upstream: cel-go `parser/options.go`. */
const LONGEST_SOURCE = 100_000;
const DEEPEST = 250;

/** Reserved words that are not even allowed after a dot. */
const KEYWORDS = new Set(['false', 'in', 'null', 'true']);

const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** Parses an expression and expands its macros. Throws `SourceError`. The length of the source bounds the cost. */
export function parseExpression(source: string): Expression {
  try {
    if (source.length > LONGEST_SOURCE && Array.from(source).length > LONGEST_SOURCE) {
      throw new TokenError(
        0,
        `expression code point size exceeds limit: size: ${Array.from(source).length}, limit ${LONGEST_SOURCE}`,
      );
    }
    return new Parser(tokenize(source)).parse();
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    throw new SourceError(source, [{ position: error.position, message: error.message }]);
  }
}

/** Recursive descent, one method for each rule of the grammar in cel-spec `doc/langdef.md`. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const expression = this.#expression();
    if (this.#peek().kind !== 'end') throw this.#unexpected('<EOF>');
    return expression;
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
      const isOperator = token.kind === 'symbol' || token.text === 'in';
      const name = isOperator && token.kind !== 'string' ? operators.get(token.text) : undefined;
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
        const name = pathOf(operand);
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
    if (name.kind !== 'identifier' || KEYWORDS.has(name.text)) throw this.#unexpected('IDENTIFIER');
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
    return expandMacro(call(open.position, name.text, this.#list(')'), operand));
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
    const value = token.kind === 'end' || token.text === 'in' ? undefined : literalOf(token, negative);
    if (value === undefined) throw this.#unexpected();
    this.#at++;
    return { kind: 'literal', position: negative ? position - 1 : position, value };
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
      const elements = this.#items(']', (index) => {
        if (this.#accept('?') !== undefined) optional.add(index);
        return this.#expression();
      });
      return { kind: 'list', position, elements, optional };
    }
    if (this.#accept('{') !== undefined) {
      const entries = this.#items('}', () => this.#entry(() => this.#expression()));
      return { kind: 'map', position, entries };
    }
    if (this.#accept('.') !== undefined && this.#peek().kind === 'identifier') return this.#name('.');
    throw this.#unexpected();
  }

  /** Parses a variable or a global function. */
  #name(leadingDot: string): Expression {
    const token = this.#next();
    if (RESERVED_WORDS.has(token.text)) throw new TokenError(token.position, `reserved identifier: ${token.text}`);
    const name = `${leadingDot}${token.text}`;
    const open = this.#accept('(');
    if (open === undefined) return { kind: 'identifier', position: token.position, name };
    return expandMacro(call(open.position, name, this.#list(')')));
  }

  #message(name: string): Expression {
    const { position } = this.#expect('{');
    const fields = this.#items('}', () =>
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
    const { position } = this.#expect(':');
    return { position, key, value: this.#expression(), optional };
  }

  #list(end: string): Expression[] {
    return this.#items(end, () => this.#expression(), false);
  }

  /** Parses items separated by commas up to `end`. A trailing comma is allowed, except in calls. */
  #items<Item>(end: string, read: (index: number) => Item, trailing = true): Item[] {
    const items: Item[] = [];
    if (this.#accept(end) !== undefined) return items;
    for (;;) {
      items.push(read(items.length));
      const comma = this.#accept(',');
      if (comma === undefined || (trailing && this.#isNext(end))) {
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
    return new TokenError(token.position, `Syntax error: mismatched input '${token.text}'${expecting}`);
  }
}

function call(position: number, name: string, args: readonly Expression[], target?: Expression): Call {
  return { kind: 'call', position, name, target, arguments: args };
}

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

/** The name of a message, if the expression is a plain selection such as `a.b.c`. */
function pathOf(expression: Expression): string | undefined {
  const fields: string[] = [];
  let node = expression;
  for (; node.kind === 'select' && !node.presence; node = node.operand) fields.push(node.field);
  return isIdentifier(node) ? [node.name, ...fields.reverse()].join('.') : undefined;
}

function isIdentifier(expression: Expression): expression is Identifier {
  return expression.kind === 'identifier';
}

function literalOf(token: Token, negative: boolean): LiteralValue | undefined {
  const { kind, text } = token;
  if (kind === 'string') return { type: 'string', value: text };
  if (kind === 'bytes') return { type: 'bytes', value: token.bytes ?? new Uint8Array() };
  if (kind === 'identifier') {
    return text === 'null' ? { type: 'null' } : { type: 'bool', value: text === 'true' };
  }
  if (kind === 'double') return { type: 'double', value: finite(token, negative) };
  const value = negative ? -BigInt(text) : BigInt(text);
  if (kind === 'int') {
    if (value > MAX_INT || value < -MAX_INT - 1n) throw new TokenError(token.position, 'invalid int literal');
    return { type: 'int', value };
  }
  if (value > MAX_UINT) throw new TokenError(token.position, 'invalid uint literal');
  return { type: 'uint', value };
}

function finite(token: Token, negative: boolean): number {
  const value = Number(token.text);
  if (!Number.isFinite(value)) throw new TokenError(token.position, 'invalid double literal');
  return negative ? -value : value;
}
