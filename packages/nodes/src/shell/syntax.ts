/** A piece of a word: text, or the name of a variable. */
export type Piece = { readonly text: string } | { readonly variable: string };
export type Word = readonly Piece[];

export interface Redirect {
  readonly stream: 'stdout' | 'stderr';
  /** A file, or the other stream. */
  readonly target: Word | 'stdout' | 'stderr';
  readonly appends: boolean;
}

export interface SimpleCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
}

/** Commands of a pipe, and when they run: always, or only after a success or a failure. */
export interface Pipeline {
  readonly commands: readonly SimpleCommand[];
  readonly when: 'always' | 'success' | 'failure';
}

/** The text uses syntax that the simulated shell does not have. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
}

const OPERATORS = ['&&', '||', '>>', '>&', ';', '|', '>', '&', '<', '(', ')', '\n'] as const;
type Operator = (typeof OPERATORS)[number];
type Token =
  | { readonly word: Word; readonly isBare: boolean }
  | { readonly operator: Operator; readonly touches: boolean };

const KEYWORDS: ReadonlySet<string> = new Set(
  'if then else fi for while until do done case esac function { } !'.split(' '),
);

/** Parses a list of commands. Throws a {@link SyntaxProblem}. */
export function parseScript(text: string): readonly Pipeline[] {
  const pipelines: Pipeline[] = [];
  let when: Pipeline['when'] = 'always';
  let commands: SimpleCommand[] = [];
  let command = emptyCommand();
  const endCommand = (operator: string): void => {
    if (command.words.length === 0) throw new SyntaxProblem(`syntax error: unexpected "${operator}"`);
    commands.push(command);
    command = emptyCommand();
  };
  const endPipeline = (operator: string, next: Pipeline['when']): void => {
    const isBlank = commands.length === 0 && command.words.length === 0;
    // A condition holds for the next line that has a command.
    if (isBlank && operator === 'newline') return;
    if (!isBlank || when !== 'always' || next !== 'always') {
      endCommand(operator);
      pipelines.push({ commands, when });
      commands = [];
    }
    when = next;
  };
  const tokens = tokensOf(text);
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    if ('word' in token) {
      if (command.words.length === 0 && token.isBare) refuseKeyword(token.word);
      command.words.push(token.word);
      continue;
    }
    switch (token.operator) {
      case '|':
        endCommand('|');
        break;
      case '&&':
        endPipeline('&&', 'success');
        break;
      case '||':
        endPipeline('||', 'failure');
        break;
      case ';':
      case '\n':
        endPipeline(token.operator === ';' ? ';' : 'newline', 'always');
        break;
      case '>':
      case '>>':
      case '>&':
        command.redirects.push(redirectOf(token, tokens[++index], command.words));
        break;
      default:
        throw new SyntaxProblem(`the simulated shell does not support "${token.operator}"`);
    }
  }
  endPipeline('end of file', 'always');
  return pipelines;
}

const emptyCommand = (): { words: Word[]; redirects: Redirect[] } => ({ words: [], redirects: [] });

function refuseKeyword(word: Word): void {
  const text = textOf(word);
  if (text !== undefined && KEYWORDS.has(text))
    throw new SyntaxProblem(`the simulated shell does not support "${text}"`);
}

/** Undefined: it has variables. */
function textOf(word: Word): string | undefined {
  return word.every((piece) => 'text' in piece)
    ? word.map((piece) => ('text' in piece ? piece.text : '')).join('')
    : undefined;
}

/** `2>` is a redirect of the second stream when nothing is between the digit and the operator. */
function redirectOf(
  operator: Extract<Token, { operator: Operator }>,
  target: Token | undefined,
  words: Word[],
): Redirect {
  if (target === undefined || !('word' in target)) throw new SyntaxProblem('syntax error: a redirect needs a file');
  const last = words.at(-1);
  const descriptor = operator.touches && last !== undefined ? textOf(last) : undefined;
  const isNumbered = descriptor === '1' || descriptor === '2';
  if (isNumbered) words.pop();
  const stream = descriptor === '2' ? 'stderr' : 'stdout';
  if (operator.operator !== '>&') return { stream, target: target.word, appends: operator.operator === '>>' };
  const to = textOf(target.word);
  if (to !== '1' && to !== '2') throw new SyntaxProblem('the simulated shell redirects only to files, &1 and &2');
  return { stream, target: to === '1' ? 'stdout' : 'stderr', appends: true };
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    const operator = OPERATORS.find((each) => text.startsWith(each, at));
    if (char === ' ' || char === '\t' || char === '\r') at++;
    else if (char === '#') while (at < text.length && text[at] !== '\n') at++;
    else if (operator !== undefined) {
      tokens.push({ operator, touches: at > 0 && /\d/.test(text[at - 1] ?? '') });
      at += operator.length;
    } else {
      const { word, end, isBare } = wordAt(text, at);
      tokens.push({ word, isBare });
      at = end;
    }
  }
  return tokens;
}

function wordAt(text: string, start: number): { readonly word: Word; readonly end: number; readonly isBare: boolean } {
  const pieces: Piece[] = [];
  let at = start;
  let isBare = true;
  let quote = '';
  let literal = '';
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quote === '' && (/\s/.test(char) || OPERATORS.some((each) => text.startsWith(each, at)))) break;
    if (quote === char) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      isBare = false;
    } else if (char === '\\' && quote !== "'") literal += text[++at] ?? '';
    else if (char === '`' && quote !== "'") throw new SyntaxProblem('the simulated shell does not support "`"');
    else if (char === '$' && quote !== "'") {
      const [match, braced, plain] = /^\$(?:\{(\w+)\}|(\w+|\?))/.exec(text.slice(at, at + 256)) ?? [];
      if (match === undefined && /^\$[({]/.test(text.slice(at, at + 2))) {
        throw new SyntaxProblem(`the simulated shell does not support "${text.slice(at, at + 2)}"`);
      }
      if (match === undefined) literal += char;
      else {
        pieces.push({ text: literal }, { variable: braced ?? plain ?? '' });
        literal = '';
        at += match.length - 1;
      }
    } else literal += char;
  }
  if (quote !== '') throw new SyntaxProblem('syntax error: unterminated quoted string');
  return { word: [...pieces, { text: literal }], end: at, isBare };
}
