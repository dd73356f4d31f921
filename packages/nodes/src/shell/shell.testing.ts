import { VirtualClock } from '@binnacle/apimachinery/clock';
import { type Container, containerFiles, noNetwork, runProgram } from './index.js';

/** The input of a program. */
export async function* pieces(...texts: readonly (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

/** A simulated container in which programs run. */
export class Trial {
  readonly container: Container;
  readonly clock = new VirtualClock(Date.UTC(2027, 0, 4));
  readonly stop = new AbortController();
  bytes: Buffer[] = [];

  constructor(environment: ReadonlyMap<string, string> = new Map([['GREETING', 'hello']]), network = noNetwork) {
    this.container = {
      hostname: 'web-0',
      environment,
      workingDirectory: '/srv',
      files: containerFiles('web-0', '/srv'),
      network,
    };
  }

  /** The output, with `!` before that of the second stream, and the end. */
  async run(command: readonly string[], input: AsyncIterable<Buffer> = pieces(), isTerminal = false): Promise<string> {
    let text = '';
    const ending = await runProgram(
      command,
      this.container,
      {
        stdin: input,
        stdout: async (bytes) => {
          this.bytes.push(bytes);
          text += bytes.toString();
        },
        stderr: async (bytes) => void (text += `!${bytes.toString()}`),
        isTerminal,
      },
      { clock: this.clock, signal: this.stop.signal },
    );
    return 'code' in ending ? `${text}${ending.code}` : `${text}${ending.problem}`;
  }
}
