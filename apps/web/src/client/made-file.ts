import { download } from './call.ts';

/** Polling interval and time limit for a file that is being made, milliseconds. */
const askMilliseconds = 1500;
const patienceMilliseconds = 600_000;

/** Asks until the file has been made, and downloads it. */
export async function downloadMade(ask: () => Promise<{ name: string; downloadUrl: string | null }>): Promise<void> {
  for (const end = Date.now() + patienceMilliseconds; ; ) {
    const { name, downloadUrl } = await ask();
    if (downloadUrl) return download(downloadUrl, name);
    if (Date.now() > end) throw new Error(name);
    await new Promise((resolve) => setTimeout(resolve, askMilliseconds));
  }
}
