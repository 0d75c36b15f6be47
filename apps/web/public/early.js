// What cannot wait for the app, which takes longer to load. A file of its own, because the app's files are run only when all
// of them are there.
(() => {
  // The first page of a proof, as small as its thumbnail is, where the app shows it later; client-proof/first-page.ts takes it
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
// An access token. client/tokens.ts takes the answer and uses the same names.
(() => {
  const isForCustomers = /^\/(client-proofing|delivered|upload)\//.test(location.pathname);
  // The app came first, and asks itself.
  if ('earlyTokens' in window) return;
  if (isForCustomers || new URLSearchParams(location.search).get('embed') === 'true') return;
  try {
    // Says that somebody may be signed in. Storage can be closed to pages.
    if (localStorage.getItem('pdf2press-signed-in') === null) return;
  } catch {
    return;
  }
  const ask = () =>
    fetch('/api/TokenAuth/refresh', {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      credentials: 'same-origin',
      body: '{}',
    });
  const { locks } = navigator;
  window.earlyTokens = locks ? locks.request('pdf2press-refresh', ask) : ask();
  // Whoever takes it hears of the failure.
  window.earlyTokens.catch(() => undefined);
})();
