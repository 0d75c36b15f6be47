// What cannot wait for the app, which takes longer to load and to run. A classic script: it runs before the app's modules.

// On a slow processor the app's modules run for a second in which nothing new is shown: they wait for a session's first page
// that is on its way, and for the style sheets, as a script of the document does. In development the document starts the app.
addEventListener('DOMContentLoaded', async () => {
  const app = document.getElementById('app');
  if (!app) return;
  const styles = [...document.querySelectorAll('link[rel=stylesheet]')].filter(({ sheet }) => !sheet);
  const loaded = (link) => new Promise((resolve) => Object.assign(link, { onload: resolve, onerror: resolve }));
  await Promise.all([window.early?.firstPage, ...styles.map(loaded)]);
  await import(app.href);
});
(() => {
  // The first page of a proof, as small as its thumbnail is, where the app shows it later; client/first-page.ts takes it
  // away. A link that leads to no proof has no picture.
  if (!/^\/client-proofing\/[\w-]+\/[\w-]+\/?$/.test(location.pathname)) return;
  const picture = new Image();
  picture.id = 'first-page';
  picture.alt = '';
  const isWide = matchMedia('(min-width: 900px)').matches;
  picture.style.cssText = `position:fixed;inset:0 ${isWide ? '380px' : '0'} 0 0;z-index:1;margin:auto;pointer-events:none;object-fit:contain;inline-size:calc(100vw - ${isWide ? 428 : 48}px);block-size:calc(100vh - ${isWide ? 276 : 508}px);min-block-size:80px`;
  const show = () => {
    // The app came first, and draws the page itself.
    if (!('firstPageIsDrawn' in window)) document.body.append(picture);
  };
  picture.onload = () => (document.body ? show() : addEventListener('DOMContentLoaded', show));
  picture.src = `/api${location.pathname.replace(/\/$/, '')}/thumbnails/1`;
})();
// An access token, and with it what the page of this address asks for first. client/early.ts takes the answers and uses the
// same names; frame/router.tsx and sessions/ask-early.ts ask for the same. src/early has the worker.
(() => {
  const isForCustomers = /^\/(client-proofing|delivered|upload)\//.test(location.pathname);
  if (isForCustomers || new URLSearchParams(location.search).get('embed') === 'true') return;
  const stored = (name) => {
    try {
      return localStorage.getItem(`pdf2press-${name}`);
    } catch {
      // Storage can be closed to pages.
      return null;
    }
  };
  // Says that somebody may be signed in.
  if (stored('signed-in') === null) return;
  const session = /^\/workflows\/session\/(\w+)$/.exec(location.pathname)?.[1] ?? null;
  const isFirstList = location.pathname === '/workflows/sessions' && location.search === '';
  const addresses = [
    ...(session ? ['', '/pages?version=original'].map((at) => `/api/sessions/${session}${at}`) : []),
    '/api/me',
    ...(isFirstList ? [`/api/sessions?page=1&pageSize=${stored('pageSize') ?? 25}`] : []),
  ];
  const late = session ? [`/api/sessions/${session}/findings/counts`] : [];
  // Asks on a thread of its own: this one will be busy with the app's modules. A build puts the address of the finished file here.
  const worker = new Worker('/src/early/worker.ts', { type: 'module' });
  const waiting = new Map();
  const answerOf = (address) => {
    const answer = new Promise((resolve, reject) => waiting.set(address, { resolve, reject }));
    // Whoever takes it hears of its failure.
    answer.catch(() => undefined);
    return answer;
  };
  // At once, and not in turn with other tabs as the app asks: a turn is given only once the app's modules have run. Tabs that
  // ask with the same cookie within seconds get the same answer. Those that ask later wait for this one.
  const refresh = '/api/TokenAuth/refresh';
  const tokens = answerOf(refresh);
  void navigator.locks?.request('pdf2press-refresh', () => tokens.catch(() => undefined));
  const answers = Object.fromEntries([...addresses, ...late].map((address) => [address, answerOf(address)]));
  // Without an end, a slow server would keep the app from starting.
  const patience = 1_500;
  let goOn;
  const firstPage = new Promise((resolve) => {
    goOn = resolve;
    if (session === null || stored('stages') === null) resolve();
    else setTimeout(resolve, patience);
  });
  window.early = { tokens, answers, firstPage };
  worker.onerror = () => {
    goOn();
    for (const { reject } of waiting.values()) reject(new TypeError('the early worker does not run'));
  };
  const place = ({ style }, position, [left, top, inlineSize, blockSize], unit) =>
    Object.assign(style, {
      position,
      left: left + unit,
      top: top + unit,
      inlineSize: inlineSize + unit,
      blockSize: blockSize + unit,
    });
  const told = {
    answer({ address, status, headers, body }) {
      const response = new Response(body, { status, headers });
      // One that the worker made after another's answer is there for the app as well.
      if (waiting.has(address)) waiting.get(address).resolve(response);
      else answers[address] = Promise.resolve(response);
    },
    failed: ({ address }) => waiting.get(address)?.reject(new TypeError('no answer')),
    noFirstPage: () => goOn(),
    // Where the app shows it later; client/first-page.ts takes it away.
    async firstPage({ stage, paper, pictures }) {
      if (document.querySelector('#root :not(style)') || window.firstPageIsDrawn) return;
      const [table, sheet] = [document.createElement('div'), document.createElement('div')];
      table.id = 'first-page';
      place(table, 'fixed', stage, 'px');
      Object.assign(table.style, { overflow: 'hidden', background: 'var(--p2p-pasteboard)', pointerEvents: 'none' });
      place(sheet, 'absolute', paper, 'px');
      Object.assign(sheet.style, { background: '#fff', boxShadow: '0 2px 18px rgb(0 0 0 / 35%)' });
      const drawn = pictures.map(({ at, blob }) => {
        const picture = new Image();
        picture.alt = '';
        picture.src = URL.createObjectURL(blob);
        picture.onload = () => URL.revokeObjectURL(picture.src);
        place(picture, 'absolute', at, '%');
        sheet.append(picture);
        return picture.decode().catch(() => undefined);
      });
      table.append(sheet);
      document.body.append(table);
      await Promise.all(drawn);
      // The frame that has them is painted after its callbacks, and before the next message.
      requestAnimationFrame(() => setTimeout(goOn));
    },
  };
  worker.onmessage = ({ data }) => told[data.kind](data);
  worker.postMessage({
    addresses,
    late,
    session,
    stages: stored('stages'),
    windowSize: `${innerWidth}×${innerHeight}`,
    pixelRatio: devicePixelRatio,
  });
})();
