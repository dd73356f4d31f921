/** A place of a format template that a value, or a percent sign, takes: `%s`, `%.2f`, `%%`. */
export interface Clause {
  readonly start: number;
  readonly end: number;
  readonly verb: string;
  /** The number behind a dot. */
  readonly precision: number | undefined;
  /** Why nothing can be formatted. */
  readonly problem: string | undefined;
}

const VERBS = 'sdfebxXo';
/** Larger than any number in a template that upstream can read. */
const TOO_LARGE = 2n ** 63n;
/** Upstream keeps no higher bits. */
const PRECISIONS = 2n ** 16n;
const PARSING = 'could not parse formatting clause: ';
const CONVERTING = `${PARSING}error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing `;

/** The clauses of a template up to the first with a problem, in order. Upstream: cel-go `ext/formatting.go`. */
export function* clausesOf(template: string): Iterable<Clause> {
  for (let start = template.indexOf('%'); start >= 0; ) {
    const clause = clauseAt(template, start);
    yield clause;
    if (clause.problem !== undefined) return;
    start = template.indexOf('%', clause.end);
  }
}

function clauseAt(template: string, start: number): Clause {
  const digits = /^\.(\d*)/.exec(template.slice(start + 1))?.[1];
  const at = start + 1 + (digits === undefined ? 0 : digits.length + 1);
  const verb = template.charAt(at);
  const problem = problemOf(verb, digits);
  const isRead = digits !== undefined && problem === undefined;
  return { start, end: at + 1, verb, precision: isRead ? Number(BigInt(digits) % PRECISIONS) : undefined, problem };
}

function problemOf(verb: string, digits: string | undefined): string | undefined {
  if (digits === undefined) {
    if (verb === '') return 'unexpected end of string';
    return verb === '%' ? undefined : verbProblem(verb);
  }
  if (verb === '') return `${PARSING}error while parsing precision: could not find end of precision specifier`;
  if (digits === '') return `${CONVERTING}"": invalid syntax`;
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 19 || BigInt(significant) >= TOO_LARGE)
    return `${CONVERTING}"${digits}": value out of range`;
  return verbProblem(verb);
}

/** Upstream reads a byte, so it names the first byte of another character. */
function verbProblem(verb: string): string | undefined {
  if (VERBS.includes(verb)) return undefined;
  const byte = verb < '\u0080' ? verb : String.fromCharCode(Buffer.from(verb)[0] ?? 0);
  return `${PARSING}unrecognized formatting clause "${byte}"`;
}
