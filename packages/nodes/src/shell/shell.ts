import { FileProblem, resolvePath } from './file-tree.js';
import { Exit, type Run, type Session, type Streams, turn } from './session.js';
import { parseScript, type Pipeline, type Redirect, type SimpleCommand, SyntaxProblem, type Word } from './syntax.js';
import { checkWords, LONGEST_TEXT, tooLong } from './variables.js';

type Execute = (name: string, words: readonly string[], session: Session, streams: Streams) => Promise<number>;

/** The output of a command in a pipe. */
const MAX_HELD = 4 << 20;
const PROMPT = '# ';
const ASSIGNMENT = /^(\w+)=(.*)$/s;

/** Runs a text of commands. Resolves to the code of the last one. Rejects with {@link Exit} for `exit`. */
export async function runText(text: string, session: Session, streams: Streams, execute: Execute): Promise<number> {
  try {
    for (const pipeline of parseScript(text)) {
      const isDue = pipeline.when === 'always' || (session.lastCode === 0) === (pipeline.when === 'success');
      if (isDue) session.lastCode = await runPipeline(pipeline, session, streams, execute);
    }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    await streams.stderr(Buffer.from(`sh: ${error.message}\n`));
    session.lastCode = 2;
  }
  return session.lastCode;
}

/** Runs the lines of the input, one after the other. */
export async function runLines(run: Run, execute: Execute): Promise<number> {
  const { session } = run;
  const prompt = async (): Promise<void> => {
    if (run.isTerminal) await run.stdout(Buffer.from(`${session.directory} ${PROMPT}`));
  };
  let held = '';
  await prompt();
  for await (const bytes of run.stdin) {
    held += bytes.toString('utf8');
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const line = held.slice(0, end);
      held = held.slice(end + 1);
      if (line.length > LONGEST_TEXT) throw new Exit(2);
      await runText(line, session, run, execute);
      await prompt();
    }
    if (held.length > LONGEST_TEXT) throw new Exit(2);
  }
  return held === '' ? session.lastCode : runText(held, session, run, execute);
}

/** The output of each command is the whole input of the next. The code is that of the last. */
async function runPipeline(
  { commands }: Pipeline,
  session: Session,
  streams: Streams,
  execute: Execute,
): Promise<number> {
  let { stdin } = streams;
  let code = 0;
  for (const [index, command] of commands.entries()) {
    // A text has room for a hundred thousand commands, and other work of the process has its turn between two.
    await turn(session);
    if (index === commands.length - 1) return runCommand(command, session, { ...streams, stdin }, execute);
    const held = new Held();
    code = await runCommand(command, session, { ...streams, stdin, stdout: held.write }, execute);
    stdin = held.all();
  }
  return code;
}

async function runCommand(
  { words, redirects }: SimpleCommand,
  session: Session,
  streams: Streams,
  execute: Execute,
): Promise<number> {
  try {
    const texts = words.map((word) => expand(word, session));
    checkWords(texts);
    const command = texts.findIndex((text) => !ASSIGNMENT.test(text));
    const [name, ...rest] = command < 0 ? [] : texts.slice(command);
    for (const text of command < 0 ? texts : texts.slice(0, command)) {
      const [, variable = '', value = ''] = ASSIGNMENT.exec(text) ?? [];
      session.environment.set(variable, value);
    }
    if (name === undefined) return 0;
    const directed = redirects.reduce((given, redirect) => redirected(given, redirect, session), streams);
    return await execute(name, rest, session, directed);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    await streams.stderr(Buffer.from(`sh: ${error.message}\n`));
    return 1;
  }
}

/** Words are not split, and patterns not expanded. */
function expand(word: Word, session: Session): string {
  const valueOf = (name: string): string =>
    name === '?' ? String(session.lastCode) : (session.environment.get(name) ?? '');
  let text = '';
  for (const piece of word) {
    text += 'text' in piece ? piece.text : valueOf(piece.variable);
    if (text.length > LONGEST_TEXT) throw tooLong();
  }
  return text;
}

function redirected(streams: Streams, { stream, target, appends }: Redirect, session: Session): Streams {
  if (target === 'stdout' || target === 'stderr') return { ...streams, [stream]: streams[target] };
  const path = resolvePath(session.directory, expand(target, session));
  if (path === '/dev/null') return { ...streams, [stream]: async () => undefined };
  const { files } = session.container;
  if (!appends || files.get(path) === undefined) files.write(path, Buffer.alloc(0));
  return { ...streams, [stream]: async (bytes: Buffer) => files.append(path, bytes) };
}

/** The output of a command for the next. */
class Held {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  readonly write = async (bytes: Buffer): Promise<void> => {
    this.#length += bytes.length;
    if (this.#length > MAX_HELD) throw new FileProblem('No space left on device');
    this.#chunks.push(bytes);
  };

  /** In one piece, so that a long pipe passes on few. */
  async *all(): AsyncGenerator<Buffer> {
    if (this.#length > 0) yield Buffer.concat(this.#chunks);
  }
}
