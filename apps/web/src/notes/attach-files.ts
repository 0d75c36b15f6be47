import type { ProofNote } from '@pdf2press/contract';

/**
 * Sends the chosen files to what was just written, one after the other. Sent again after a failure, those that have arrived
 * change nothing.
 */
export async function attachFiles(
  written: readonly ProofNote[],
  { text, answersId }: { text: string; answersId?: string },
  files: readonly File[],
  send: (noteId: string, form: FormData) => Promise<unknown>,
): Promise<void> {
  if (files.length === 0) return;
  const said = answersId === undefined ? written : written.find(({ id }) => id === answersId)?.answers;
  const note = said?.findLast((one) => one.isMine && one.text === text);
  if (!note) throw new Error('the note that was written is not among the notes');
  for (const file of files) {
    const form = new FormData();
    form.append('file', file);
    await send(note.id, form);
  }
}
