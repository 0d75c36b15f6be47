import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { RouterProvider } from 'react-router';
import { queries } from './client/queries.ts';
import { whenToastsAreNeeded } from './frame/late-toasts.ts';
import { router } from './frame/router.tsx';
import { usePreferences } from './preferences/preferences.ts';
import { useTheme } from './preferences/use-theme.ts';
import { cssVariables, makeTheme } from './theme/theme.ts';

/** Without the network it waits for it: an error would take the whole page away, for want of its toasts. */
async function loadToastStack(): Promise<typeof import('./frame/toast-stack.tsx')> {
  try {
    return await import('./frame/toast-stack.tsx');
  } catch {
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    return loadToastStack();
  }
}

const Toasts = lazy(async () => {
  await whenToastsAreNeeded;
  return { default: (await loadToastStack()).ToastStack };
});

export function App() {
  const { primaryLight, primaryDark } = usePreferences();
  const scheme = useTheme();
  const primary = scheme === 'dark' ? primaryDark : primaryLight;
  const theme = useMemo(() => makeTheme(primary), [primary]);
  const variables = useMemo(
    () => cssVariables({ light: primaryLight, dark: primaryDark }),
    [primaryLight, primaryDark],
  );
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      forceColorScheme={scheme}
      deduplicateCssVariables={false}
    >
      <QueryClientProvider client={queries}>
        <Suspense>
          <Toasts />
        </Suspense>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
