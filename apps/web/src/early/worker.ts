import type { Asked, Told } from './asked.ts';
import { work } from './work.ts';

/** A program of its own, which `early.js` starts: it shares no file with the app. */
const self = globalThis as unknown as {
  onmessage: (event: { data: Asked }) => void;
  postMessage: (told: Told) => void;
  close: () => void;
};

self.onmessage = async ({ data }) => {
  await work(
    data,
    (told) => self.postMessage(told),
    (address, init) => fetch(address, { credentials: 'same-origin', ...init }),
  );
  self.close();
};
