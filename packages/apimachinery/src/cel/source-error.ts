const WIDE_DOT = '\uff0e';
const WIDE_CARET = '\uff3e';
/** Upstream: cel-go `common/error.go`. A longer line is not quoted. */
const LONGEST_LINE = 16_384;

/** One problem in an expression; the position counts code points from the start. */
export interface SourceProblem {
  readonly position: number;
  readonly message: string;
}

/** A syntax or type error. The message quotes each problem with its line, as upstream's does. */
export class SourceError extends Error {
  readonly problems: readonly SourceProblem[];

  constructor(source: string, problems: readonly SourceProblem[]) {
    const inOrder = problems.toSorted((left, right) => left.position - right.position);
    super(inOrder.map((problem) => displayProblem(source, problem)).join('\n'));
    this.problems = inOrder;
  }
}

function displayProblem(source: string, { position, message }: SourceProblem): string {
  const before = Array.from(source).slice(0, position);
  const lineStart = before.lastIndexOf('\n') + 1;
  const line = before.reduce((count, point) => (point === '\n' ? count + 1 : count), 1);
  const text = source.split('\n')[line - 1] ?? '';
  const head = `ERROR: <input>:${line}:${position - lineStart + 1}: ${message}`;
  const points = Array.from(text.replaceAll('\t', ' '));
  if (text.length > LONGEST_LINE) return head;
  const column = position - lineStart;
  const dots = points.slice(0, column).map((point) => (isWide(point) ? WIDE_DOT : '.'));
  const caret = isWide(points[column]) ? WIDE_CARET : '^';
  return `${head}\n | ${points.join('')}\n | ${dots.join('')}${caret}`;
}

/** Whether the character takes more than one byte in UTF-8. */
function isWide(point: string | undefined): boolean {
  return (point?.codePointAt(0) ?? 0) >= 0x80;
}
