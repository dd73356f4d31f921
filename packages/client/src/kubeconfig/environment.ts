import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';

/** Variables, files and processes, which tests replace. */
export interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Whether a terminal is attached, so that the user can be prompted. */
  readonly interactive: boolean;
  /** Reads a UTF-8 file. Rejects like Node.js' `readFile`. */
  readFile(path: string): Promise<string>;
  /** Runs a program without a shell and resolves to its stdout. Rejects like Node.js' `execFile`. */
  run(command: string, args: readonly string[], options: RunOptions): Promise<string>;
}

export interface RunOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Connect this process's stdin. The program's stderr always goes to this process's. */
  readonly interactive: boolean;
  readonly signal?: AbortSignal | undefined;
}

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** The environment of this process. */
export const systemEnvironment: Environment = {
  variables: process.env,
  /** Throws when the system knows no home of this user, such as in a container that runs as a user of its own. */
  get homeDirectory() {
    return homedir();
  },
  interactive: process.stdin.isTTY,
  readFile: (path) => readFile(path, 'utf8'),
  run: (command, args, { variables, interactive, signal }) =>
    new Promise((resolve, reject) => {
      const options = {
        env: { ...variables },
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(signal === undefined ? {} : { signal }),
      };
      const child = execFile(command, args, { ...options, encoding: 'utf8' }, (error, output) => {
        if (interactive && child.stdin !== null) process.stdin.unpipe(child.stdin);
        if (error === null) resolve(output);
        else reject(Object.assign(new Error(error.message, { cause: error }), { code: error.code }));
      });
      child.stderr?.pipe(process.stderr, { end: false });
      if (interactive && child.stdin !== null) process.stdin.pipe(child.stdin);
      else child.stdin?.end();
    }),
};
