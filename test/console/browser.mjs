/** A real Chromium for tests of the page, and the console that it opens. */
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { systemClock } from '@binnacle/apimachinery/clock';
import { connect } from '@binnacle/client/transport';
import { startConsole } from '@binnacle/console/server';
import { chromiumPath } from '../../scripts/chromium-path.mjs';
import { forkStarter } from '../../packages/binnacle/dist/cli/commands/console.js';

const executable = chromiumPath();

/** Why tests of the page cannot run; false: they can. */
export const noBrowser =
  executable === undefined && 'no Chromium; on Debian: node scripts/install-chromium.mjs, as root';

const repository = fileURLToPath(new URL('../..', import.meta.url));
/** `BINNACLE_SCREENSHOTS=docs` writes the pictures of docs/console.md. */
const pictures =
  process.env.BINNACLE_SCREENSHOTS === 'docs' ? join(repository, 'docs/images') : join(repository, '.cache/console');

/** Opens the console of a test server, or of a transport. `writeFile`: writes the kubeconfigs of forks; without it the page starts none. `problems`: errors of the page, which a test must find empty. `close` ends all. */
export async function openConsole(server, { colorScheme = 'dark', width = 1440, height = 900, writeFile } = {}) {
  const transport =
    server.clientConfig === undefined
      ? server.transport
      : connect(server.clientConfig, { userAgent: 'binnacle-console', onWarning: () => undefined });
  const startFork = async (version) => {
    const fork = await forkStarter(transport, writeFile)(version);
    // Pictures show the same folder wherever the test runs.
    return { ...fork, kubeconfig: join('/home/jane', basename(fork.kubeconfig)) };
  };
  const forks = writeFile === undefined ? {} : { startFork };
  const options = { transport, server: 'https://harbour.example.com', clock: systemClock, ...forks };
  const running = await startConsole(options);
  const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] });
  const context = await browser.newContext({ colorScheme, viewport: { width, height }, reducedMotion: 'reduce' });
  // axe is a script of the test; the policy of the page lets in none.
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(running.newLink());
  const close = async () => {
    await browser.close();
    await running.stop();
    await transport.close();
  };
  return { page, running, problems, close };
}

/** Writes a picture of the page. */
export async function picture(page, name) {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `console-${name}.png`) });
}

/** What axe objects to on the page as it is: one line for each rule. */
export async function accessibilityFaults(page) {
  const session = await page.context().newCDPSession(page);
  // An isolated world, so that the policy of the page stays as it is.
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  await evaluate(`${axe.source}; undefined`);
  const violations = await evaluate(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`)
        .join(' | ')
        .slice(0, 800)}`,
  );
}
