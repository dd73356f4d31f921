import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';

const limitMilliseconds = 60_000;

/**
 * One kubectl binary for one cluster, with its own home in `folder`, so that caches and settings of the machine have
 * no effect.
 */
export class Kubectl {
  constructor({ path, minor, version, kubeconfig, folder }) {
    this.path = path;
    this.minor = minor;
    this.version = version;
    this.folder = folder;
    this.children = new Set();
    this.environment = { PATH: process.env.PATH, HOME: join(folder, 'home'), KUBECONFIG: kubeconfig, LC_ALL: 'C' };
    mkdirSync(this.environment.HOME, { recursive: true });
  }

  /** Writes a file into the folder, and returns its path. */
  file(name, text) {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  /** Starts kubectl; `lines` grows as it prints, `ended` resolves with `{ code, stdout, stderr }`. */
  start(args, { input = '', environment = {} } = {}) {
    const child = spawn(this.path, args, { env: { ...this.environment, ...environment }, stdio: 'pipe' });
    this.children.add(child);
    const running = { stdout: '', stderr: '', args, stop: () => child.kill('SIGINT'), waiters: new Set() };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8').on('data', (text) => {
        running[name] += text;
        for (const check of running.waiters) check();
      });
    }
    child.stdin.on('error', () => undefined).end(input);
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMilliseconds);
    running.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        this.children.delete(child);
        if (signal === 'SIGKILL') running.stderr += `\n(killed after ${limitMilliseconds / 1000} s)`;
        resolve({ code, signal, stdout: running.stdout, stderr: running.stderr });
      });
    });
    /** Resolves when standard output or standard error matches. */
    running.printed = (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(running.stdout) && !pattern.test(running.stderr)) return;
          running.waiters.delete(check);
          resolve();
        };
        running.waiters.add(check);
        check();
        void running.ended.then(() => reject(failure(args, running, `ended without printing ${pattern}`)), reject);
      });
    return running;
  }

  /** Kills the processes that a failed step has left running. */
  stopAll() {
    for (const child of this.children) child.kill('SIGKILL');
  }

  /** Starts a command that watches, and resolves once the server has accepted the watch. */
  async startWatch(args, options) {
    const running = this.start([...args, '-v=6'], options);
    await running.printed(/watch=true.* 200 OK|watch=true.*status="200 OK"/);
    return running;
  }

  /** Runs to the end and returns standard output; fails on any exit code but `code`. */
  async run(args, { code = 0, ...options } = {}) {
    const result = await this.start(args, options).ended;
    if (result.code !== code) throw failure(args, result, `exit code ${result.code}, not ${code}`);
    return result.stdout;
  }

  /** Runs a command that must fail, and returns standard error. */
  async fails(args, { code = 1, ...options } = {}) {
    const result = await this.start(args, options).ended;
    if (result.code !== code) throw failure(args, result, `exit code ${result.code}, not ${code}`);
    return result.stderr;
  }

  /** Runs and checks that standard output matches each pattern. */
  async prints(args, patterns, options) {
    const stdout = await this.run(args, options);
    for (const pattern of [patterns].flat()) {
      if (!pattern.test(stdout)) throw failure(args, { stdout, stderr: '' }, `does not print ${pattern}`);
    }
    return stdout;
  }

  async json(args) {
    return JSON.parse(await this.run([...args, '-o', 'json']));
  }

  /** Reads connection data from the kubeconfig, like any client. */
  async #connection() {
    const config = JSON.parse(await this.run(['config', 'view', '--raw', '--minify', '-o', 'json']));
    const cluster = config.clusters[0].cluster;
    const user = config.users[0].user;
    const decode = (text) => (text === undefined ? undefined : Buffer.from(text, 'base64'));
    return {
      server: new URL(cluster.server),
      options: {
        ca: decode(cluster['certificate-authority-data']),
        cert: decode(user['client-certificate-data']),
        key: decode(user['client-key-data']),
        ...(user.token === undefined ? {} : { headers: { authorization: `Bearer ${user.token}` } }),
      },
    };
  }

  /**
   * Sends a request that kubectl cannot send, as a controller would. Returns the object; fails on any status but 2xx.
   */
  async request(method, path, body, contentType = 'application/json') {
    this.connection ??= this.#connection();
    const { server, options } = await this.connection;
    const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const { status, text } = await new Promise((resolve, reject) => {
      const outgoing = request(new URL(path, server), {
        ...options,
        method,
        headers: {
          ...options.headers,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': contentType, 'content-length': bytes.length }),
        },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        let received = '';
        response.setEncoding('utf8').on('data', (part) => (received += part));
        response.on('end', () => resolve({ status: response.statusCode, text: received }));
        response.on('error', reject);
      });
      outgoing.end(bytes);
    });
    assert.ok(status >= 200 && status < 300, `${method} ${path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  /** A JSON merge patch. */
  merge(path, patch) {
    return this.request('PATCH', path, patch, 'application/merge-patch+json');
  }
}

function failure(args, { stdout, stderr }, reason) {
  const shown = (name, text) => (text === '' ? '' : `\n--- ${name}\n${text.slice(0, 4000)}`);
  const output = shown('standard output', stdout) + shown('standard error', stderr);
  return new Error(`kubectl ${args.join(' ')}: ${reason}${output}`);
}
