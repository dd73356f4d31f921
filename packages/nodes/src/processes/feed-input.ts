/**
 * Writes a source to the input of a process. A program that does not read makes the source wait. Does not reject: a client that has
 * gone ends the source. `endsInput`: the input ends with the source. The owner of the input handles its errors.
 */
export async function feedInput(
  source: AsyncIterable<Buffer>,
  input: NodeJS.WritableStream,
  endsInput: boolean,
): Promise<void> {
  try {
    for await (const bytes of source) {
      if (!input.writable) return;
      if (!input.write(bytes)) await new Promise((resolve) => input.once('drain', resolve).once('close', resolve));
    }
  } catch {
    // The client has gone.
  }
  if (endsInput) input.end();
}
