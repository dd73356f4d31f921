import { quoteGo } from '@binnacle/apimachinery/status';
import { compareUtf8 } from '@binnacle/apimachinery/json';
import { respondText, writeResponse } from '../http/index.js';
import type { Handler, RequestContext } from '../request/index.js';
import type { HealthCheck, HealthRoot } from './check.js';

export interface HealthOptions {
  /** Called for each check of a root request, with the failure if any. */
  readonly onResult?: (root: HealthRoot, name: string, failure: Error | undefined) => void;
}

export interface Health {
  /** The handler of `/livez`, `/readyz`, `/healthz` and of each single check below them; undefined for other paths. */
  handlerFor(path: string): Handler | undefined;
  /** The paths of all health endpoints. */
  readonly paths: readonly string[];
}

const roots: readonly HealthRoot[] = ['healthz', 'livez', 'readyz'];

/** The checks of one request run concurrently and are reported in order. Upstream: apiserver `pkg/server/healthz`. */
export function createHealth(checks: readonly HealthCheck[], options: HealthOptions = {}): Health {
  const handlers = new Map<string, Handler>();
  for (const root of roots) {
    const own = checks.filter((check) => check.roots?.includes(root) ?? true);
    handlers.set(`/${root}`, (context) => respondAll(context, root, own, options));
    for (const check of own) handlers.set(`/${root}/${check.name}`, (context) => respondOne(context, check));
  }
  return {
    handlerFor: (path) => handlers.get(path),
    paths: [...handlers.keys()],
  };
}

async function respondAll(
  context: RequestContext,
  root: HealthRoot,
  checks: readonly HealthCheck[],
  options: HealthOptions,
): Promise<void> {
  const excluded = new Set(context.query.getAll('exclude'));
  const unmatched = new Set(excluded);
  let lines = '';
  let failed = false;
  const reasons = await Promise.all(
    checks.map(async (check) => (isExcluded(check, excluded) ? undefined : failureOf(check, context))),
  );
  for (const [index, { name, group }] of checks.entries()) {
    if (excluded.has(name)) {
      unmatched.delete(name);
      lines += `[+]${name} excluded: ok\n`;
    } else if (group !== undefined && excluded.has(group)) {
      unmatched.delete(group);
      lines += `[+]${name} excluded with ${group}: ok\n`;
    } else {
      const reason = reasons[index];
      options.onResult?.(root, name, reason);
      if (reason === undefined) {
        lines += `[+]${name} ok\n`;
      } else {
        failed = true;
        lines += `[-]${name} failed: reason withheld\n`;
      }
    }
  }
  if (unmatched.size > 0) {
    const names = [...unmatched].sort(compareUtf8).map(quoteGo).join(',');
    lines += `warn: some health checks cannot be excluded: no matches for ${names}\n`;
  }
  if (failed) await respondText(context, 500, `${lines}${root} check failed\n`);
  else if (context.query.has('verbose')) await respondText(context, 200, `${lines}${root} check passed\n`);
  else await respondText(context, 200, 'ok');
}

function isExcluded({ name, group }: HealthCheck, excluded: ReadonlySet<string>): boolean {
  return excluded.has(name) || (group !== undefined && excluded.has(group));
}

async function respondOne(context: RequestContext, check: HealthCheck): Promise<void> {
  const reason = await failureOf(check, context);
  if (reason === undefined) {
    await writeResponse(context, 200, { 'content-type': 'text/plain; charset=utf-8' }, 'ok');
    return;
  }
  await respondText(context, 500, `internal server error: ${reason.message}\n`);
}

/** The failure of the check; undefined when it passes. */
async function failureOf(check: HealthCheck, context: RequestContext): Promise<Error | undefined> {
  try {
    await check.check(context.exchange.signal);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error('unhealthy', { cause: error });
  }
}
