import type { Command, Run } from './session.js';

/** Codes of curl. */
const UNRESOLVED = 6;
const REFUSED = 7;
/** Options that change nothing here: the answer is always a success. */
const QUIET = /^-[sSfLk]+$/;

/** Commands that ask for names of the cluster. They open no connection. */
export const NETWORK_COMMANDS: Readonly<Record<string, Command>> = {
  nslookup: async (run) => {
    const [name, ...rest] = run.words;
    if (name === undefined || rest.length > 0) return run.fail('the simulated nslookup knows only `nslookup NAME`');
    await run.say('Server:\t\tsimulated\n');
    const found = await run.session.container.network.lookUp(name, run.session.signal);
    if (found === undefined) {
      await run.say(`** server can't find ${name}: NXDOMAIN\n`);
      return 1;
    }
    for (const address of found.addresses) await run.say(`Name:\t${found.name}\nAddress: ${address}`);
    return 0;
  },
  curl: (run) => {
    const [url, ...rest] = run.words.filter((word) => !QUIET.test(word));
    if (url === undefined || rest.length > 0 || url.startsWith('-')) {
      return run.fail('the simulated curl knows only `curl [-s] [-S] [-f] [-L] [-k] URL`').then(() => 2);
    }
    return get(run, url, {
      invalid: (text) => `(3) ${text}`,
      unknown: (host) => `(6) Could not resolve host: ${host}`,
      refused: (host, port) => `(7) Failed to connect to ${host} port ${port}: Connection refused`,
      codes: [UNRESOLVED, REFUSED],
    });
  },
  wget: (run) => {
    const [options = '', url, ...rest] = run.words;
    if (!/^-q?O-?$/.test(options)) return run.fail('the simulated wget knows only `wget -qO- URL`');
    const target = options.endsWith('-') ? url : rest[0];
    if (target === undefined) return run.fail('missing URL');
    return get(run, target, {
      invalid: (text) => text,
      unknown: (host) => `bad address '${host}'`,
      refused: (host, port) => `can't connect to remote host (${host}:${port}): Connection refused`,
      codes: [1, 1],
    });
  },
};

interface Texts {
  readonly invalid: (text: string) => string;
  readonly unknown: (host: string) => string;
  readonly refused: (host: string, port: number) => string;
  /** Of an unknown name, and of a refused connection. */
  readonly codes: readonly [number, number];
}

async function get(run: Run, text: string, { invalid, unknown, refused, codes }: Texts): Promise<number> {
  const full = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url?.protocol !== 'http:') return run.fail(invalid('the simulated network knows only http:// URLs'));
  const { hostname, port, pathname, search } = url;
  const { container, signal } = run.session;
  if ((await container.network.lookUp(hostname, signal)) === undefined) {
    await run.fail(unknown(hostname));
    return codes[0];
  }
  const number = Number(port || 80);
  const answer = await container.network.get(hostname, number, `${pathname}${search}`, signal);
  if (answer === undefined) {
    await run.fail(refused(hostname, number));
    return codes[1];
  }
  await run.stdout(Buffer.from(answer));
  return 0;
}
