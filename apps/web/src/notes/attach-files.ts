/**
 * Sends the chosen files to what was just written, one after the other. Sent again after a failure, those that have arrived
 * change nothing.
 */
export async function attachFiles(files: readonly File[], send: (form: FormData) => Promise<unknown>): Promise<void> {
  for (const file of files) {
    const form = new FormData();
    form.append('file', file);
    await send(form);
  }
}
