import net from 'node:net';

/** Below the ports that systems hand out by themselves (from 32768 on Linux, from 49152 elsewhere), above the well-known. */
const lowest = 15_000;
const highest = 32_000;
const attempts = 50;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

/**
 * A port of this machine that is free now. Nobody holds it until its server starts, perhaps minutes later, so it is none
 * that the system gives to connections and to servers that ask for any port. Chosen at random, so that two processes that
 * look at the same time find different ones.
 * @throws if fifty of them are taken
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${attempts} ports between ${lowest} and ${highest} is free`);
}
