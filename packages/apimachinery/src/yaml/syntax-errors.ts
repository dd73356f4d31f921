import type { LineCounter, YAMLError } from 'yaml';
import { YamlError } from './yaml-error.js';

interface Wording {
  readonly problem: string;
  /** Upstream's scanner counts lines from one and its parser from zero; both omit the first line. */
  readonly scanner: boolean;
}

/**
 * Translates an error of the parser to upstream's words, where both parsers detect the same error. `block` is the kind
 * of the document's root, which upstream's message names.
 */
export function translateSyntaxError(
  error: YAMLError,
  text: string,
  lines: LineCounter,
  block: 'map' | 'list',
): YamlError {
  const { problem, scanner } = wording(error, text, block);
  const position = problem === notAllowedHere ? nextColon(text, error.pos[0]) : Math.min(error.pos[0], text.length);
  let line = lines.linePos(position).line - 1;
  // At the end of a document upstream is on a new line; it detects a key without a colon on the next line.
  if (problem === noColon || (position >= text.length && text !== '' && !text.endsWith('\n'))) line++;
  if (scanner && line > 0) line++;
  return new YamlError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`, { cause: error });
}

function nextColon(text: string, from: number): number {
  const found = text.slice(from, from + 1024).search(/:(?:\s|$)/);
  return found < 0 ? Math.min(from, text.length) : from + found;
}

const noColon = "could not find expected ':'";
const notAllowedHere = 'mapping values are not allowed in this context';
const cannotStart: Wording = { problem: 'found character that cannot start any token', scanner: true };
const noKey: Wording = { problem: 'did not find expected key', scanner: false };
const noEntry: Wording = { problem: "did not find expected '-' indicator", scanner: false };
const noContent: Wording = { problem: 'did not find expected node content', scanner: false };

function wording(error: YAMLError, text: string, block: 'map' | 'list'): Wording {
  const { message } = error;
  switch (error.code) {
    case 'TAB_AS_INDENT':
    case 'BAD_SCALAR_START':
      return cannotStart;
    case 'BLOCK_AS_IMPLICIT_KEY':
      return { problem: notAllowedHere, scanner: true };
    case 'MULTILINE_IMPLICIT_KEY':
      return { problem: noColon, scanner: true };
    case 'BAD_ALIAS':
      return { problem: 'did not find expected alphabetic or numeric character', scanner: true };
    case 'BLOCK_IN_FLOW':
      return noContent;
    case 'BAD_DQ_ESCAPE':
      return { problem: 'found unknown escape character', scanner: true };
    case 'MISSING_CHAR':
    case 'BAD_INDENT':
      if (message.includes('quote')) return { problem: 'found unexpected end of stream', scanner: true };
      if (message.includes('followed by map values')) return { problem: noColon, scanner: true };
      if (message.includes('Flow')) return unfinishedFlow(message, text, error.pos[0]);
      return message.includes('sequence items') ? noEntry : noKey;
    case 'UNEXPECTED_TOKEN':
      if (message.includes('block-seq-ind')) {
        return { problem: 'block sequence entries are not allowed in this context', scanner: true };
      }
      if (message.includes('node end')) return block === 'list' ? noEntry : noKey;
      if (message.includes('block scalar'))
        return { problem: 'did not find expected comment or line break', scanner: true };
      return noContent;
    default:
      return { problem: 'could not find expected directive name', scanner: true };
  }
}

function unfinishedFlow(message: string, text: string, position: number): Wording {
  const before = text.slice(Math.max(0, position - 64), position).trimEnd();
  if (/[[{,:]$/.test(before)) return noContent;
  return { problem: `did not find expected ',' or '${message.includes('end with a }') ? '}' : ']'}'`, scanner: false };
}
