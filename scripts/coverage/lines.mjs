/** Turns V8's report on a built file into lines of its source. */
import { SourceMap } from 'node:module';

const COMMENTS = /^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/.*$/gm;
/** Lines that run whenever the file is loaded, and decide nothing. */
const LINK = /^\s*(?:import\b|export \*|export \{)/;

/**
 * Which lines of the source ran, out of those with code. A line counts only if all of it ran: both sides of its `?:`,
 * and the right side of its `&&`. Lines that only the compiler wrote do not count.
 *
 * @param {string} code the built file
 * @param {import('node:module').SourceMapPayload} sourceMap
 * @param {{ ranges: { startOffset: number, endOffset: number, count: number }[] }[]} functions V8's; none if the file was not loaded
 * @returns {Map<number, boolean>} by line number, from 1
 */
export function coveredLines(code, sourceMap, functions) {
  const map = new SourceMap(sourceMap);
  const ran = charactersThatRan(code, functions);
  const lines = new Map();
  let start = 0;
  for (const [index, text] of withoutComments(code).split('\n').entries()) {
    if (/\w/.test(text) && !LINK.test(text)) {
      const { generatedLine, originalLine } = map.findEntry(index, text.search(/\S/));
      const line = originalLine + 1;
      if (generatedLine === index) lines.set(line, ranWhole(text, ran, start) && (lines.get(line) ?? true));
    }
    start += text.length + 1;
  }
  return lines;
}

/** One byte a character. Inner ranges are shorter than those around them, so they are painted later. */
function charactersThatRan(code, functions) {
  const ran = new Uint8Array(code.length);
  const length = ({ startOffset, endOffset }) => endOffset - startOffset;
  const ranges = functions.flatMap((each) => each.ranges).sort((one, other) => length(other) - length(one));
  for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
}

function ranWhole(text, ran, start) {
  for (let at = 0; at < text.length; at++) if (ran[start + at] === 0 && text[at] !== ' ') return false;
  return true;
}

/** The same text with comments blanked out, so that offsets and lines stay. */
const withoutComments = (code) => code.replace(COMMENTS, (comment) => comment.replace(/[^\n]/g, ' '));
