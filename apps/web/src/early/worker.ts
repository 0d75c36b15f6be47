import type { Asked, Told } from './asked.ts';
import { work } from './work.ts';

/** A program of its own, which `early.js` starts: it shares no file with the app. */
const self = globalThis as unknown as {
  onmessage: (event: { data: Asked }) => void;
  postMessage: (told: Told, transferred: ArrayBuffer[]) => void;
  close: () => void;
};

self.onmessage = async ({ data }) => {
  const tell = (told: Told) => self.postMessage(told, []);
  await work(data, tell, (address, init) => fetch(address, { credentials: 'same-origin', ...init }));
  self.close();
};
