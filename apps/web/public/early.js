// Asks for an access token while the app is still being loaded, which takes longer. client/tokens.ts takes the answer and
// uses the same names. A file of its own, because the app's files are run only when all of them are there.
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
