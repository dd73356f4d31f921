import { hasErrorCode } from '@binnacle/apimachinery/errors';
import type { JsonObject } from '@binnacle/apimachinery/json';
import { asJson } from '@binnacle/apimachinery/meta';
import { text } from 'node:stream/consumers';
import { readText } from '../../files/index.js';
import { DefinitionError, definitionsIn, generateTypes, parseDocuments } from '../../types/index.js';
import type { TypesRequest } from '../arguments/types-request.js';
import { printFailure } from './print-message.js';

/** `binnacle types`: resolves with the exit code. */
export async function types(request: TypesRequest): Promise<number> {
  try {
    const generated = await generate(request);
    if (request.verify === undefined) await print(generated);
    else verify(await readText(request.verify), generated, request.verify);
    return 0;
  } catch (error) {
    printFailure(error);
    return 1;
  }
}

async function generate({ files, server }: TypesRequest): Promise<string> {
  const texts = await Promise.all(
    files.map(async (file) =>
      file === '-'
        ? { name: 'standard input', text: await text(process.stdin) }
        : { name: file, text: await readText(file) },
    ),
  );
  const given = texts.flatMap((source) => parseDocuments(source.name, source.text));
  const served = server === undefined ? [] : await definitionsOf(server.context);
  const definitions = definitionsIn([...given, ...served]);
  if (definitions.length === 0) {
    throw new DefinitionError(
      `no CustomResourceDefinition in ${[...texts.map(({ name }) => name), ...(server === undefined ? [] : ['the server'])].join(', ')}`,
    );
  }
  return generateTypes(definitions);
}

/** All definitions of the server of a kubeconfig context. */
async function definitionsOf(context: string | undefined): Promise<readonly JsonObject[]> {
  const [{ loadConfig }, { connect }, { DynamicClient }] = await Promise.all([
    import('@binnacle/client/kubeconfig'),
    import('@binnacle/client/transport'),
    import('@binnacle/client/dynamic'),
  ]);
  await using transport = connect(await loadConfig(context === undefined ? {} : { context }));
  const resource = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
  const definitions: JsonObject[] = [];
  for await (const item of new DynamicClient(transport).resource(resource).items()) definitions.push(asJson(item));
  return definitions;
}

/** Resolves when everything is written. A closed pipe is not an error. */
function print(generated: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.once('error', (error: Error) => (hasErrorCode(error, 'EPIPE') ? resolve() : reject(error)));
    process.stdout.write(generated, (error) => {
      if (error === null || error === undefined) resolve();
    });
  });
}

/** Ignores differences in line endings, which Git may change. */
function verify(found: string, generated: string, file: string): void {
  const wanted = generated.split('\n');
  const lines = found.split(/\r?\n/);
  const different = wanted.findIndex((line, index) => line !== lines[index]);
  if (different === -1 && lines.length === wanted.length) return;
  const line = (different === -1 ? wanted.length : different) + 1;
  throw new DefinitionError(
    `${file} is stale: line ${line} differs from the definitions; run binnacle types without --verify to update the file`,
  );
}
