import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';

/** What configuration is made from, beside the time. */
export interface Surroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Is there a person at a terminal who can be asked? */
  readonly interactive: boolean;
  /** UTF-8. Rejects as node's `readFile` does. */
  readFile(path: string): Promise<string>;
  /** Runs a program, without a shell, and resolves to what it printed. Rejects as node's `execFile` does. */
  run(command: string, args: readonly string[], options: RunOptions): Promise<string>;
}

export interface RunOptions {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Give it this process's input. Its errors go where this process's go, always. */
  readonly interactive: boolean;
  readonly signal?: AbortSignal | undefined;
}

const MOST_OUTPUT_BYTES = 4 * 1024 * 1024;

/** This machine's, and this process's. */
export const systemSurroundings: Surroundings = {
  variables: process.env,
  homeDirectory: homedir(),
  interactive: process.stdin.isTTY,
  readFile: (path) => readFile(path, 'utf8'),
  run: (command, args, { variables, interactive, signal }) =>
    new Promise((resolve, reject) => {
      const options = {
        env: { ...variables },
        maxBuffer: MOST_OUTPUT_BYTES,
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
