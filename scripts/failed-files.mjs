/** A reporter of node:test that prints the file of each failed test, once each and a line each. A test without a file prints an empty line. */
// oxlint-disable-next-line import/no-default-export -- node:test takes the default export
export default async function* failedFiles(events) {
  const files = new Set();
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.todo === undefined) files.add(data.file ?? '');
  for (const file of files) yield `${file}\n`;
}
