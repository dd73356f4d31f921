#!/usr/bin/env node
import { describeCommands, parseCommandLine } from './arguments/command-line.js';
import { traceSources } from './source-traces.js';

traceSources();
const request = parseCommandLine(process.argv.slice(2));
switch (request.command) {
  case 'serve': {
    const { serve } = await import('./commands/serve.js');
    const exitCode = await serve(request.options, request);
    // Connections that clients hold open must not keep the process alive.
    process.exit(exitCode);
    break;
  }
  case 'doctor': {
    const { doctor } = await import('./commands/doctor.js');
    process.exit(await doctor(request.options));
    break;
  }
  case 'controller-manager': {
    const { controllerManager } = await import('./commands/controller-manager.js');
    process.exit(await controllerManager(request.request));
    break;
  }
  case 'scheduler': {
    const { scheduler } = await import('./commands/scheduler.js');
    process.exit(await scheduler(request.request));
    break;
  }
  case 'nodes': {
    const { nodes } = await import('./commands/nodes.js');
    process.exit(await nodes(request.request));
    break;
  }
  case 'console': {
    const { consoleCommand } = await import('./commands/console.js');
    process.exit(await consoleCommand(request.request));
    break;
  }
  case 'top': {
    const { top } = await import('./commands/top.js');
    process.exit(await top(request.request));
    break;
  }
  case 'cluster': {
    const { cluster } = await import('./commands/cluster.js');
    process.exitCode = await cluster(request.request);
    break;
  }
  case 'resolve': {
    const { resolve } = await import('./commands/resolve.js');
    process.exitCode = await resolve(request.request);
    break;
  }
  case 'simulate': {
    const { simulate } = await import('./commands/simulate.js');
    process.exitCode = await simulate(request.request);
    break;
  }
  case 'history': {
    const { history } = await import('./commands/history.js');
    process.exitCode = await history(request.request);
    break;
  }
  case 'import': {
    const { importCommand } = await import('./commands/transfer.js');
    process.exitCode = await importCommand(request.request);
    break;
  }
  case 'store': {
    const { store } = await import('./commands/store.js');
    process.exitCode = await store(request.request);
    break;
  }
  case 'types': {
    const { types } = await import('./commands/types.js');
    process.exitCode = await types(request.request);
    break;
  }
  case 'envtest': {
    const { envtest } = await import('./commands/envtest.js');
    process.exit(await envtest(request.request));
    break;
  }
  case 'test-servers': {
    const { testServers } = await import('./commands/test-servers.js');
    process.exit(await testServers());
    break;
  }
  case 'worker': {
    const { surviveUnwritableOutput } = await import('./commands/unwritable-output.js');
    surviveUnwritableOutput();
    const { runWorker } = await import('../workers/index.js');
    process.exit(await runWorker());
    break;
  }
  case 'completion': {
    const { completionScript } = await import('./commands/completion.js');
    process.stdout.write(completionScript(request.shell, describeCommands()));
    break;
  }
  case 'version': {
    const { versionText } = await import('./commands/version.js');
    process.stdout.write(versionText(request.output));
    break;
  }
  case 'help':
    process.stdout.write(request.text);
    break;
  case 'wrong':
    process.stderr.write(request.text);
    process.exitCode = 2;
    break;
}
