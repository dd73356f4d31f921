import { COMMANDS } from './commands.js';
import type { Clock } from '@binnacle/apimachinery/clock';
import { Pace } from '@binnacle/apimachinery/work';
import { FileProblem } from './file-tree.js';
import { type Command, type Container, Exit, type Run, type Session, type Streams, turn } from './session.js';
import { runLines, runText } from './shell.js';
import { LONGEST_TEXT, Variables } from './variables.js';

/** Shells within one another. Linux limits the processes of a container. */
const MOST_SHELLS = 100;
/** After so many, other work of the process runs. */
const WRITES_PER_TURN = 500;

/** How a command ended. */
export type Ending = { readonly code: number } | { readonly problem: string };

/** Runs the command of an `exec` to its end. Rejects with the signal's reason when that fires. */
export async function runProgram(
  command: readonly string[],
  container: Container,
  streams: Streams,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<Ending> {
  const [path = '', ...words] = command;
  const name = path.replace(/^(?:\/usr)?\/bin\//, '');
  const program = programOf(name);
  if (program === undefined) {
    return { problem: `exec: ${JSON.stringify(path)}: executable file not found in $PATH: the container is simulated` };
  }
  if (command.some(({ length }) => length > LONGEST_TEXT)) {
    return { problem: `exec: ${JSON.stringify(name)}: argument list too long` };
  }
  const session: Session = {
    container,
    environment: new Variables(container.environment),
    directory: container.workingDirectory,
    lastCode: 0,
    shells: 0,
    pace: new Pace(WRITES_PER_TURN),
    clock,
    signal,
  };
  try {
    return { code: await program(runOf(name, words, session, streams)) };
  } catch (error) {
    if (error instanceof Exit) return { code: error.code };
    throw error;
  }
}

/** Built into a shell, and no programs. */
const BUILT_IN: ReadonlySet<string> = new Set([':', 'cd', 'exit', 'export']);
const SHELLS: ReadonlySet<string> = new Set(['sh', 'ash', 'bash']);

function programOf(name: string): Command | undefined {
  if (SHELLS.has(name)) return shell;
  return Object.hasOwn(COMMANDS, name) && !BUILT_IN.has(name) ? COMMANDS[name] : undefined;
}

async function shell(run: Run): Promise<number> {
  const { session } = run;
  if (session.shells === MOST_SHELLS) return run.fail("can't fork: Resource temporarily unavailable").then(() => 2);
  session.shells++;
  try {
    return await runShell(run);
  } finally {
    session.shells--;
  }
}

/** `sh -c TEXT`, or `sh` with lines from its input. */
async function runShell(run: Run): Promise<number> {
  const [flag, text, name = 'sh', ...words] = run.words;
  if (flag === undefined || flag === '-i' || flag === '-l') return runLines(run, execute);
  if (!/^-[lei]*c$/.test(flag) || text === undefined) return run.fail(`the simulated shell does not support ${flag}`);
  [name, ...words].forEach((word, index) => run.session.environment.set(String(index), word));
  return runText(text, run.session, run, execute);
}

/** Runs one command of a shell. */
async function execute(name: string, words: readonly string[], session: Session, streams: Streams): Promise<number> {
  const command = SHELLS.has(name) ? shell : Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const run = runOf(name, words, session, streams);
  if (command === undefined) {
    await streams.stderr(Buffer.from(`sh: ${name}: not found\n`));
    return 127;
  }
  try {
    return await command(run);
  } catch (error) {
    if (error instanceof FileProblem) return run.fail(error.message);
    throw error;
  }
}

function runOf(name: string, words: readonly string[], session: Session, streams: Streams): Run {
  const { stdin, isTerminal } = streams;
  const paced = (write: Streams['stdout']) => async (bytes: Buffer) => {
    if (session.pace.endsStep()) await turn(session);
    return write(bytes);
  };
  const [stdout, stderr] = [paced(streams.stdout), paced(streams.stderr)];
  return {
    stdin,
    stdout,
    stderr,
    isTerminal,
    session,
    words,
    say: (text) => stdout(Buffer.from(`${text}\n`)),
    fail: async (text) => {
      await stderr(Buffer.from(`${name}: ${text}\n`));
      return 1;
    },
  };
}
