import { Composer, type CST, type Document, Lexer, type LineCounter, Parser } from 'yaml';
import type { Steps } from '../work/index.js';
import { YamlError } from './yaml-error.js';

/** The composer uses far more stack for each level than our JSON parser. */
const MAX_DEPTH = 500;
/** The composer continues after an error, and every error it reports is expensive. */
const MAX_ERRORS = 100;
/** About a millisecond of work. */
const LEXEMES_PER_STEP = 500;

/**
 * The first document of a stream, with its syntax errors in `errors`; undefined for an empty stream. Does not read
 * further. Throws {@link YamlError} for content that no document may have.
 */
export function* firstDocument(text: string, lines: LineCounter): Steps<Document.Parsed | undefined> {
  const composer = new Composer({
    version: '1.1',
    schema: 'failsafe',
    merge: false,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  boundErrors(composer);
  let errors = 0;
  for (const token of tokens(text, lines)) {
    if (token === undefined) {
      yield;
      continue;
    }
    if (token.type === 'error' && ++errors > MAX_ERRORS) throw tooManyErrors();
    for (const document of composer.next(token)) return checkVersion(document);
  }
  for (const document of composer.end(false, text.length)) return checkVersion(document);
  return undefined;
}

/** The parser does not recurse, so the depth is checked here. Undefined ends a step. */
function* tokens(text: string, lines: LineCounter): Generator<CST.Token | undefined> {
  let lexemes = 0;
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (++lexemes % LEXEMES_PER_STEP === 0) yield undefined;
    if (parser.stack.length > MAX_DEPTH) throw new YamlError(`yaml: exceeded max depth of ${MAX_DEPTH}`);
  }
  yield* parser.end();
}

/** Drops warnings, and stops at a document with too many errors. */
function boundErrors(composer: Composer): void {
  const report: unknown = Reflect.get(composer, 'onError');
  if (!isReporter(report)) return;
  let errors = 0;
  Reflect.set(composer, 'onError', (source: unknown, code: unknown, message: unknown, warning: unknown) => {
    if (warning === true) return;
    if (++errors > MAX_ERRORS) throw tooManyErrors();
    report(source, code, message, false);
  });
}

function isReporter(value: unknown): value is (...report: unknown[]) => void {
  return typeof value === 'function';
}

function tooManyErrors(): YamlError {
  return new YamlError('yaml: did not find expected node content');
}

function checkVersion(document: Document.Parsed): Document.Parsed {
  if (document.directives.yaml.explicit === true && document.directives.yaml.version !== '1.1') {
    throw new YamlError('yaml: found incompatible YAML document');
  }
  return document;
}
