import path from 'node:path';
import { freePort } from '@pdf2press/config/free-port';
import { localBin, runToEnd, whenParentsEnd } from './processes.ts';
import { type Stack, startStack } from './stack.ts';
import { findBrowser } from './tools.ts';

/** The administrator that the journeys sign in as. The first journey makes it with the link that the first start prints. */
const administrator = { email: 'admin@pdf2press.test', password: 'Proof-4-Press!' };

/** Waits for the link that a first start prints; empty when none comes within five minutes. */
function listenForLink(): { hear: (line: string) => void; link: Promise<string> } {
  let found: (link: string) => void = () => undefined;
  const link = new Promise<string>((resolve) => {
    found = resolve;
  });
  return {
    hear: (line) => {
      const address = /https?:\S+\/setup#\S+/.exec(line)?.[0];
      if (address) found(address);
    },
    link: Promise.race([link, new Promise<string>((resolve) => setTimeout(resolve, 300_000, '').unref())]),
  };
}

/** The products that run: a signal that ends this process must stop all of them. */
const underWay = new Set<Stack>();
let isEnding = false;
const endAll = (): void => {
  if (isEnding) return;
  isEnding = true;
  void Promise.all([...underWay].map((stack) => stack.stop())).then(() => process.exit(1));
};

/** A product with empty data in `folder`, and what its tests must know of it, as environment variables. */
async function startProduct(folder: string): Promise<Record<string, string>> {
  const printed = listenForLink();
  // Where a journey listens for the calls that steps make; a journey's mail server has a port of its own.
  const receiverPort = await freePort();
  // Where a journey keeps its archive.
  const archivePort = await freePort();
  // Where a journey's cloud services answer.
  const cloudPorts = { google: await freePort(), microsoft: await freePort() };
  // Where the people of a journey have their accounts.
  const signOnPort = await freePort();
  const stack = await startStack({
    port: await freePort(),
    postgresPort: await freePort(),
    dataDir: path.join(folder, 'data'),
    databaseUrl: undefined,
    isDurable: false,
    // All browser tests come from one address and sign in often.
    env: {
      RATE_LIMIT_FACTOR: '100',
      OVERLOAD_DELAY_MS: '600000',
      REMOTE_POLL_SECONDS: '2',
      OUTBOUND_ALLOWED_HOSTS: [
        ...[receiverPort, cloudPorts.google, cloudPorts.microsoft, signOnPort].map(
          (port) => `http://127.0.0.1:${port}`,
        ),
        '127.0.0.1',
      ].join(','),
      ARCHIVE_ENDPOINT: `http://127.0.0.1:${archivePort}`,
      GOOGLE_CLIENT_ID: 'the-client',
      GOOGLE_CLIENT_SECRET: 'the client secret',
      GOOGLE_ENDPOINT: `http://127.0.0.1:${cloudPorts.google}`,
      MICROSOFT_CLIENT_ID: 'the-client',
      MICROSOFT_CLIENT_SECRET: 'the client secret',
      MICROSOFT_ENDPOINT: `http://127.0.0.1:${cloudPorts.microsoft}`,
    },
    onLine: printed.hear,
  });
  underWay.add(stack);
  return {
    BASE_URL: stack.address,
    SETUP_LINK: await printed.link,
    RECEIVER_PORT: String(receiverPort),
    ARCHIVE_PORT: String(archivePort),
    GOOGLE_PORT: String(cloudPorts.google),
    MICROSOFT_PORT: String(cloudPorts.microsoft),
    SIGN_ON_PORT: String(signOnPort),
    DATABASE_URL: stack.databaseUrl,
  };
}

/**
 * Runs browser tests against the processes that `npm start` runs: `count` products with empty data in `folder`, each used
 * by one test at a time. A file of tests goes to whichever product is free. Resolves to the exit code and the file of
 * Playwright's JSON report.
 */
export async function runJourneys(
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  count = 1,
): Promise<{ exitCode: number; report: string }> {
  const report = path.join(folder, 'journeys.json');
  const browser = await findBrowser();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endAll);
  whenParentsEnd(endAll);
  try {
    // One after the other, so that two never choose the same free port.
    const products: Record<string, string>[] = [];
    while (products.length < count)
      products.push(await startProduct(path.join(folder, `product-${products.length + 1}`)));
    const exitCode = await runToEnd(
      localBin('playwright', 'apps/web'),
      ['test', '--config', 'apps/web/playwright.config.ts', ...args],
      {
        ...browser.env,
        PRODUCTS: JSON.stringify(products),
        CHROMIUM_PATH: browser.executablePath,
        CHROMIUM_ARGS: JSON.stringify(browser.args),
        ADMIN_EMAIL: administrator.email,
        ADMIN_PASSWORD: administrator.password,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...env,
      },
    );
    return { exitCode, report };
  } finally {
    await Promise.all([...underWay].map((stack) => stack.stop()));
    underWay.clear();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, endAll);
  }
}
