// On a slow processor the app's modules run for a second, in which nothing new is shown: they wait for a first page on its way.
void (window.early?.firstPage ?? Promise.resolve()).then(() => import('./start.tsx'));
