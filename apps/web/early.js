// What cannot wait for the app, which takes longer to load and to run. A classic script: it runs before the app's modules.
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
// same names; frame/router.tsx and sessions/ask-early.ts ask for the same.
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
  // At once, and not in turn with other tabs as the app asks: a turn is given only once the app's modules have run. Tabs that
  // ask with the same cookie within seconds get the same answer. Those that ask later wait for this one.
  const tokens = fetch('/api/TokenAuth/refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    credentials: 'same-origin',
    body: '{}',
  });
  void navigator.locks?.request('pdf2press-refresh', () => tokens.catch(() => undefined));
  const headers = tokens
    .then((response) => response.clone().json())
    .then(({ result }) => ({ accept: 'application/json', authorization: `Bearer ${result.authToken}` }));
  const ask = (address) => headers.then((given) => fetch(address, { headers: given, credentials: 'same-origin' }));
  const session = /^\/workflows\/session\/(\w+)$/.exec(location.pathname)?.[1];
  const isFirstList = location.pathname === '/workflows/sessions' && location.search === '';
  const answers = Object.fromEntries(
    [
      '/api/me',
      ...(session
        ? ['', '/findings/counts', '/pages?version=original'].map((at) => `/api/sessions/${session}${at}`)
        : []),
      ...(isFirstList ? [`/api/sessions?page=1&pageSize=${stored('pageSize') ?? 25}`] : []),
    ].map((address) => [address, ask(address)]),
  );
  window.early = { tokens, answers };
  // Whoever takes one hears of its failure.
  for (const one of [tokens, ...Object.values(answers)]) one.catch(() => undefined);
})();
