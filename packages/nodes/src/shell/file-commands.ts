import { FileProblem, type FileTree, resolvePath } from './file-tree.js';
import { type Command, type Run, turn } from './session.js';
import { archiveOf, extract } from './tar.js';

/** The commands that read and write files. */
export const FILE_COMMANDS: Readonly<Record<string, Command>> = {
  cat: async (run) => {
    if (run.words.length === 0) {
      for await (const bytes of run.stdin) await run.stdout(bytes);
      return 0;
    }
    return eachFile(run, run.words, async (path) => run.stdout(filesOf(run).read(path)));
  },
  cd: (run) => {
    const path = pathOf(run, run.words[0] ?? '/');
    const entry = filesOf(run).get(path);
    if (entry === undefined) return run.fail(`can't cd to ${run.words[0]}: No such file or directory`);
    if (entry.kind === 'file') return run.fail(`can't cd to ${run.words[0]}: Not a directory`);
    run.session.directory = path;
    return 0;
  },
  ls: async (run) => {
    const { flags, rest } = split(run.words);
    return eachFile(run, rest.length === 0 ? ['.'] : rest, async (path, word) => {
      const entry = filesOf(run).get(path);
      if (entry === undefined) throw new FileProblem('No such file or directory');
      const names = entry.kind === 'file' ? [word] : filesOf(run).names(path);
      if (rest.length > 1 && entry.kind === 'directory') await run.say(`${word}:`);
      for (const name of names) {
        if (name.startsWith('.') && entry.kind === 'directory' && !flags.includes('a')) continue;
        await run.say(
          flags.includes('l')
            ? longLine(filesOf(run), entry.kind === 'file' ? path : resolvePath(path, name), name)
            : name,
        );
      }
    });
  },
  mkdir: (run) => eachFile(run, split(run.words).rest, async (path) => filesOf(run).makeDirectory(path)),
  pwd: async (run) => {
    await run.say(run.session.directory);
    return 0;
  },
  rm: (run) => {
    const { flags, rest } = split(run.words);
    return eachFile(run, rest, async (path) => {
      const entry = filesOf(run).get(path);
      if (entry === undefined && flags.includes('f')) return;
      if (entry?.kind === 'directory' && !/[rR]/.test(flags)) throw new FileProblem('Is a directory');
      filesOf(run).remove(path);
    });
  },
  tar: (run) => tar(run),
  touch: (run) =>
    eachFile(run, run.words, async (path) => {
      if (filesOf(run).get(path) === undefined) filesOf(run).write(path, Buffer.alloc(0));
    }),
};

/** `tar cf - PATH...` and `tar xf - -C DIRECTORY`, with the flags that `kubectl cp` passes. */
async function tar(run: Run): Promise<number> {
  const [mode = '', ...words] = run.words.filter((word) => !word.startsWith('--'));
  const flags = mode.replace(/^-/, '');
  let directory = run.session.directory;
  const paths: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '-C') directory = pathOf(run, words[++index] ?? '.');
    else if (word !== '-') paths.push(word);
  }
  if (!/^[cxmfvp]+$/.test(flags) || !flags.includes('f') || !words.includes('-')) {
    return run.fail('the simulated tar knows only `cf - PATH` and `xf -`');
  }
  const files = filesOf(run);
  try {
    if (flags.includes('x')) await extract(run.stdin, files, directory);
    else {
      for (const name of paths) {
        await turn(run.session);
        const path = resolvePath(directory, name);
        if (files.get(path) === undefined) return await run.fail(`${name}: Cannot stat: No such file or directory`);
        for (const block of archiveOf(files, path, name, run.session.clock.now())) await run.stdout(block);
      }
    }
    return 0;
  } catch (error) {
    if (error instanceof FileProblem) return run.fail(error.message);
    throw error;
  }
}

async function eachFile(
  run: Run,
  words: readonly string[],
  act: (path: string, word: string) => Promise<void>,
): Promise<number> {
  let code = 0;
  for (const word of words) {
    try {
      // A directory may have thousands of files, and a command tens of thousands of words.
      await turn(run.session);
      await act(pathOf(run, word), word);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      code = await run.fail(`${word}: ${error.message}`);
    }
  }
  return code;
}

function longLine(files: FileTree, path: string, name: string): string {
  const entry = files.get(path);
  const isFile = entry?.kind === 'file';
  const size = String(isFile ? entry.bytes.length : 4096).padStart(8);
  return `${isFile ? '-rw-r--r--' : 'drwxr-xr-x'} 1 root root ${size} ${name}`;
}

/** Flags such as `-la`, and the other words. */
export function split(words: readonly string[]): { readonly flags: string; readonly rest: readonly string[] } {
  const isFlag = (word: string): boolean => /^-./.test(word);
  return { flags: words.filter(isFlag).join(''), rest: words.filter((word) => !isFlag(word)) };
}

export const pathOf = ({ session }: Run, word: string): string => resolvePath(session.directory, word);
export const filesOf = ({ session }: Run): FileTree => session.container.files;
